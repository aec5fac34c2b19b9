#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "spec/estimate/unknowns.hpp"

namespace ringside {

// Residuals of all observations, each of unit variance: what a draw's likelihood is made of.
using WhitenedResiduals = std::function<void(const Standard& standard, std::vector<double>& residuals)>;

// Weighted draws of the posterior of standard normal unknowns.
struct SampledPosterior {
  std::vector<Standard> draws;
  std::vector<double> weights;  // add up to 1
  double log_evidence = 0;      // of the whitened residuals, without their constant
  double effective_draws = 0;   // 1 / sum of squared weights

  // So many draws of equal weight.
  std::vector<Standard> resampled(std::size_t count, std::uint64_t seed) const;
};

// Gauss-Newton to the mode, then adaptive mixture importance sampling: draws of the prior, of a Gaussian at
// the mode and a wide one there, and two to six rounds of one at the weighted draws, until 500 are effective;
// all are weighted by the mixture of all proposals. With `observations` 0 draws of the prior alone.
SampledPosterior sample_posterior(const WhitenedResiduals& residuals, std::size_t observations,
                                  std::uint64_t seed);

// Effective number of weighted draws.
double effective_count(const std::vector<double>& weights);

}  // namespace ringside
