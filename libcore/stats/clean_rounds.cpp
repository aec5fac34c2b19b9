#include "stats/clean_rounds.hpp"

#include <algorithm>
#include <span>

#include "stats/order.hpp"

namespace ringside {
namespace {

// Calls use(round, its samples) for each whole round.
template <typename Use>
void each_round(const LaunchSamples& launch, Use use) {
  const auto per_round = static_cast<std::size_t>(std::max(launch.samples_per_round, 0));
  const std::span<const double> samples(launch.samples_ns);
  for (std::size_t round = 0; per_round > 0 && (round + 1) * per_round <= samples.size(); ++round)
    use(round, samples.subspan(round * per_round, per_round));
}

bool disturbed(const LaunchSamples& launch, std::size_t round) {
  return std::ranges::find(launch.disturbed_rounds, static_cast<int>(round)) != launch.disturbed_rounds.end();
}

}  // namespace

std::vector<double> clean_round_medians(const LaunchSamples& launch) {
  std::vector<double> medians;
  each_round(launch, [&](std::size_t round, std::span<const double> samples) {
    medians.push_back(disturbed(launch, round) ? 0 : median(samples));
  });
  return medians;
}

std::size_t clean_rounds(const LaunchSamples& launch) {
  std::size_t clean = 0;
  each_round(launch, [&](std::size_t round, std::span<const double>) { clean += !disturbed(launch, round); });
  return clean;
}

std::vector<double> standing_samples(const LaunchSamples& launch) {
  if (launch.disturbed_rounds.empty() || clean_rounds(launch) < kFewestRounds) return launch.samples_ns;
  std::vector<double> standing;
  each_round(launch, [&](std::size_t round, std::span<const double> samples) {
    if (!disturbed(launch, round)) standing.insert(standing.end(), samples.begin(), samples.end());
  });
  return standing;
}

}  // namespace ringside
