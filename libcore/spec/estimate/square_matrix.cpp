#include "spec/estimate/square_matrix.hpp"

#include <cmath>

namespace ringside {

std::optional<SquareMatrix> cholesky(const SquareMatrix& matrix) {
  const std::size_t size = matrix.size();
  SquareMatrix lower(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double rest = matrix(row, column);
      for (std::size_t k = 0; k < column; ++k) rest -= lower(row, k) * lower(column, k);
      if (row != column) {
        lower(row, column) = rest / lower(column, column);
      } else if (rest > 0) {
        lower(row, row) = std::sqrt(rest);
      } else {
        return std::nullopt;
      }
    }
  }
  return lower;
}

void solve_lower(const SquareMatrix& lower, std::vector<double>& right) {
  for (std::size_t row = 0; row < lower.size(); ++row) {
    for (std::size_t k = 0; k < row; ++k) right[row] -= lower(row, k) * right[k];
    right[row] /= lower(row, row);
  }
}

void solve_upper(const SquareMatrix& lower, std::vector<double>& right) {
  for (std::size_t row = lower.size(); row-- > 0;) {
    for (std::size_t k = row + 1; k < lower.size(); ++k) right[row] -= lower(k, row) * right[k];
    right[row] /= lower(row, row);
  }
}

SquareMatrix inverse_of(const SquareMatrix& lower) {
  SquareMatrix inverse(lower.size());
  std::vector<double> column;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    column.assign(lower.size(), 0);
    column[i] = 1;
    solve_lower(lower, column);
    solve_upper(lower, column);
    for (std::size_t row = 0; row < lower.size(); ++row) inverse(row, i) = column[row];
  }
  return inverse;
}

}  // namespace ringside
