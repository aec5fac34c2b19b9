#include "spec/estimate/normal.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace ringside {

std::uint64_t NormalDraws::bits() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

double NormalDraws::uniform() {
  constexpr double kStep = 1.0 / 9007199254740992.0;  // 2^-53
  return (static_cast<double>(bits() >> 11) + 0.5) * kStep;
}

double NormalDraws::next() {
  if (has_kept_) {
    has_kept_ = false;
    return kept_;
  }
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  kept_ = radius * std::sin(angle);
  has_kept_ = true;
  return radius * std::cos(angle);
}

std::vector<double> stratified_normals(std::size_t count, NormalDraws& random) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count / 2; ++i) {
    values[i] = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    values[count - 1 - i] = -values[i];
  }
  for (std::size_t i = count; i > 1; --i) std::swap(values[i - 1], values[random.bits() % i]);
  return values;
}

double normal_below(double value) {
  constexpr double kFar = 6;  // 1e-9 is left
  if (value > kFar) return 1;
  if (value < -kFar) return 0;
  return 0.5 * std::erfc(-value / std::numbers::sqrt2);
}

// By halving.
double normal_quantile(double share) {
  double low = -6;
  double high = 6;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (normal_below(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace ringside
