#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ringside {

// A small square matrix, by rows.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t size, double diagonal = 0) : size_(size), values_(size * size, 0.0) {
    for (std::size_t i = 0; i < size; ++i) (*this)(i, i) = diagonal;
  }

  double& operator()(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const { return values_[row * size_ + column]; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

// The lower triangle L of L x transposed(L), or nothing where the matrix is not positive definite.
std::optional<SquareMatrix> cholesky(const SquareMatrix& matrix);

// Solves L x = b and transposed(L) x = b, in place.
void solve_lower(const SquareMatrix& lower, std::vector<double>& right);
void solve_upper(const SquareMatrix& lower, std::vector<double>& right);

// The inverse of the matrix whose triangle it is.
SquareMatrix inverse_of(const SquareMatrix& lower);

}  // namespace ringside
