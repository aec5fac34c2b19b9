#include "spec/estimate/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "spec/estimate/normal.hpp"
#include "spec/estimate/square_matrix.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

constexpr double kSlope[] = {3, 2};
constexpr double kSeen[] = {4, -3};

// Two linear observations of the first two unknowns: the posterior is a Gaussian with a closed form.
void linear(const Standard& standard, std::vector<double>& residuals) {
  residuals = {kSeen[0] - kSlope[0] * standard[0], kSeen[1] - kSlope[1] * standard[1]};
}

double mean_of(const SampledPosterior& sampled, std::size_t unknown) {
  double mean = 0;
  for (std::size_t i = 0; i < sampled.draws.size(); ++i)
    mean += sampled.weights[i] * sampled.draws[i][unknown];
  return mean;
}

double variance_of(const SampledPosterior& sampled, std::size_t unknown) {
  const double mean = mean_of(sampled, unknown);
  double sum = 0;
  for (std::size_t i = 0; i < sampled.draws.size(); ++i)
    sum += sampled.weights[i] * std::pow(sampled.draws[i][unknown] - mean, 2);
  return sum;
}

}  // namespace

TEST_CASE("the sampler finds a Gaussian posterior, its variance and its evidence") {
  const SampledPosterior sampled = sample_posterior(linear, 2, 1);
  double log_evidence = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const double precision = 1 + kSlope[i] * kSlope[i];
    CHECK(mean_of(sampled, i) == Catch::Approx(kSlope[i] * kSeen[i] / precision).margin(0.02));
    CHECK(variance_of(sampled, i) == Catch::Approx(1 / precision).epsilon(0.1));
    log_evidence -= 0.5 * std::log(precision) + 0.5 * kSeen[i] * kSeen[i] / precision;
  }
  CHECK(sampled.log_evidence == Catch::Approx(log_evidence).margin(0.05));
  CHECK(mean_of(sampled, 5) == Catch::Approx(0).margin(0.1));  // nothing was seen of it
  CHECK(variance_of(sampled, 5) == Catch::Approx(1).epsilon(0.1));
  CHECK(sampled.effective_draws > 1000);
}

TEST_CASE("sharp observations far from the prior don't starve the draws") {
  const WhitenedResiduals sharp = [](const Standard& standard, std::vector<double>& residuals) {
    residuals.clear();
    for (std::size_t i = 0; i < 12; ++i) {
      const double sum = std::exp(standard[i % 7]) + std::max(std::exp(standard[i % 5 + 7]), 1.5);
      residuals.push_back(15 * (std::log(sum) - 1.8));
    }
  };
  const SampledPosterior sampled = sample_posterior(sharp, 12, 1);
  CHECK(sampled.effective_draws > 300);
}

TEST_CASE("the same seed gives the same draws, another one others") {
  const SampledPosterior one = sample_posterior(linear, 2, 7);
  const SampledPosterior same = sample_posterior(linear, 2, 7);
  const SampledPosterior other = sample_posterior(linear, 2, 8);
  CHECK(one.draws == same.draws);
  CHECK(one.weights == same.weights);
  CHECK(one.draws != other.draws);
}

TEST_CASE("normal numbers are normal, and the first of a seed are known") {
  NormalDraws random(1);
  double sum = 0;
  double squares = 0;
  int within = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.next();
    sum += value;
    squares += value * value;
    within += std::abs(value) < 1.645 ? 1 : 0;
  }
  CHECK(sum / kCount == Catch::Approx(0).margin(0.02));
  CHECK(squares / kCount == Catch::Approx(1).margin(0.03));
  CHECK(within / static_cast<double>(kCount) == Catch::Approx(0.9).margin(0.01));
  CHECK(NormalDraws(0).bits() == 0xE220A8397B1DCDAFu);  // SplitMix64's published first output
}

TEST_CASE("quantiles of the normal distribution and their inverse") {
  CHECK(normal_quantile(0.95) == Catch::Approx(1.6448536).epsilon(1e-6));
  CHECK(normal_quantile(0.5) == Catch::Approx(0).margin(1e-9));
  CHECK(normal_below(-1.6448536) == Catch::Approx(0.05).epsilon(1e-5));
  CHECK(normal_below(40) == 1);
  CHECK(normal_below(-40) == 0);
}

TEST_CASE("resampled draws come as often as their weights say") {
  SampledPosterior sampled;
  sampled.draws.resize(3);
  for (std::size_t i = 0; i < 3; ++i) sampled.draws[i][0] = static_cast<double>(i);
  sampled.weights = {0.5, 0, 0.5};
  int counts[3] = {};
  for (const Standard& draw : sampled.resampled(1000, 1)) ++counts[static_cast<int>(draw[0])];
  CHECK(counts[0] == Catch::Approx(500).margin(1));
  CHECK(counts[1] == 0);
  CHECK(effective_count({0.5, 0, 0.5}) == Catch::Approx(2));
}

TEST_CASE("a matrix that is not positive definite has no triangle") {
  SquareMatrix matrix(2, 1);
  matrix(0, 1) = matrix(1, 0) = 0.5;
  const auto lower = cholesky(matrix);
  REQUIRE(lower);
  const SquareMatrix inverse = inverse_of(*lower);
  CHECK(inverse(0, 0) == Catch::Approx(4.0 / 3));
  CHECK(inverse(0, 1) == Catch::Approx(-2.0 / 3));
  matrix(0, 1) = matrix(1, 0) = 2;
  CHECK_FALSE(cholesky(matrix));
}
