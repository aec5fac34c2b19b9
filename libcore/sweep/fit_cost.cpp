#include "sweep/fit_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::size_t kTerms = 3;
using Terms = std::array<double, kTerms>;

// 1, bytes, sqrt(bytes), each as a part of the measured time: errors count relatively.
Terms terms_of(const CostPoint& point) {
  const auto bytes = static_cast<double>(point.bytes.count);
  return {1 / point.time_ns, bytes / point.time_ns, std::sqrt(bytes) / point.time_ns};
}

double residual(std::span<const CostPoint> points, const Terms& factors) {
  double sum = 0;
  for (const CostPoint& point : points) {
    const Terms terms = terms_of(point);
    double error = -1;
    for (std::size_t i = 0; i < kTerms; ++i) error += factors[i] * terms[i];
    sum += error * error;
  }
  return sum;
}

// The least squares of the chosen terms alone, by elimination; nothing when they can't be told apart.
std::optional<Terms> solve(std::span<const CostPoint> points, const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  std::array<std::array<double, kTerms + 1>, kTerms> matrix{};
  for (const CostPoint& point : points) {
    const Terms terms = terms_of(point);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) matrix[i][j] += terms[chosen[i]] * terms[chosen[j]];
      matrix[i][n] += terms[chosen[i]];
    }
  }
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::fabs(matrix[row][column]) > std::fabs(matrix[pivot][column])) pivot = row;
    }
    if (std::fabs(matrix[pivot][column]) < 1e-300) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column] / matrix[column][column];
      for (std::size_t j = column; j <= n; ++j) matrix[row][j] -= factor * matrix[column][j];
    }
  }
  Terms factors{};
  for (std::size_t i = 0; i < n; ++i) factors[chosen[i]] = matrix[i][n] / matrix[i][i];
  return factors;
}

std::vector<CostPoint> every_second(const std::vector<CostPoint>& points, std::size_t first) {
  std::vector<CostPoint> chosen;
  for (std::size_t i = first; i < points.size(); i += 2) chosen.push_back(points[i]);
  return chosen;
}

std::vector<double> relative_errors(const FittedCost& cost, const std::vector<CostPoint>& points) {
  std::vector<double> errors;
  for (const CostPoint& point : points)
    errors.push_back(std::fabs(cost.time_ns(point.bytes) / point.time_ns - 1));
  return errors;
}

std::optional<double> held_out_error(const std::vector<CostPoint>& points) {
  constexpr std::size_t kLeast = 4;
  if (points.size() < kLeast) return std::nullopt;
  return median(relative_errors(fit_cost(every_second(points, 0)), every_second(points, 1)));
}

bool same_series(const Case& a, const Case& b) {
  return a.strategy == b.strategy && a.collective == b.collective && a.mode == b.mode && a.dtype == b.dtype &&
         a.load == b.load;
}

}  // namespace

// There are few ways to leave terms out, so all are tried: the best of those without a negative factor.
FittedCost fit_cost(std::span<const CostPoint> points) {
  if (points.empty()) throw UsageError("there is nothing to fit to");
  Terms best{};
  double least = INFINITY;
  for (unsigned mask = 1; mask < 1u << kTerms; ++mask) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < kTerms; ++i) {
      if ((mask >> i & 1u) != 0) chosen.push_back(i);
    }
    if (chosen.size() > points.size()) continue;
    const auto factors = solve(points, chosen);
    if (!factors || std::ranges::any_of(*factors, [](double factor) { return !(factor >= 0); })) continue;
    const double sum = residual(points, *factors);
    if (sum >= least) continue;
    least = sum;
    best = *factors;
  }
  FittedCost cost;
  cost.alpha_ns = best[0];
  cost.beta_ns_per_byte = best[1];
  cost.gamma_ns_per_root = best[2];
  return cost;
}

std::vector<CostFit> fit_costs(const Document& document) {
  std::vector<const Row*> measured;
  for (const Row& row : document.rows) {
    if (row.status == Status::pass && row.time && row.origin == Origin::measured && row.params.entry == 0)
      measured.push_back(&row);
  }
  if (measured.empty()) throw UsageError("it holds no measured row to fit to");
  std::vector<CostFit> fits;
  std::vector<const Case*> known;
  for (const Row* first : measured) {
    if (std::ranges::any_of(known, [&](const Case* other) { return same_series(*other, first->params); }))
      continue;
    known.push_back(&first->params);
    std::vector<CostPoint> points;
    for (const Row* row : measured) {
      if (same_series(row->params, first->params))
        points.push_back({row->params.bytes, row->time->median_ns});
    }
    std::ranges::sort(points, {}, [](const CostPoint& point) { return point.bytes.count; });
    CostFit fit{.cost = fit_cost(points), .sizes = points.size(), .held_out_error = held_out_error(points)};
    const std::vector<double> errors = relative_errors(fit.cost, points);
    fit.off_median = median(errors);
    fit.off_worst = std::ranges::max(errors);
    fit.cost.strategy = first->params.strategy;
    fit.cost.collective = first->params.collective;
    fit.cost.mode = first->params.mode;
    fit.cost.ranks = first->params.ranks;
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace ringside
