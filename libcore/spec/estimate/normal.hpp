#pragma once

#include <cstdint>
#include <vector>

namespace ringside {

// Standard normal numbers that are the same on every machine for a seed: SplitMix64 and Box and Muller's
// transform. std::normal_distribution differs by library.
class NormalDraws {
 public:
  explicit NormalDraws(std::uint64_t seed) : state_(seed) {}

  double next();
  double uniform();  // above 0, below 1
  std::uint64_t bits();

 private:
  std::uint64_t state_;
  double kept_ = 0;
  bool has_kept_ = false;
};

// So many standard normal numbers that are spread as evenly as can be, in random order: noise for quantiles.
std::vector<double> stratified_normals(std::size_t count, NormalDraws& random);

// The standard normal distribution below `value`, and its inverse (0 < share < 1).
double normal_below(double value);
double normal_quantile(double share);

}  // namespace ringside
