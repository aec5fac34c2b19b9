#pragma once

#include <cstddef>
#include <vector>

#include "model/row.hpp"

namespace ringside {

// Rounds of a launch that an interval of their median needs (stats/order.hpp), and that a verdict needs.
inline constexpr std::size_t kFewestRounds = 6;

// The median of each round of the launch in ns; 0, which is no time, for a round that was disturbed.
std::vector<double> clean_round_medians(const LaunchSamples& launch);

// Rounds that were not disturbed.
std::size_t clean_rounds(const LaunchSamples& launch);

// The samples that stand for the launch, in ns: those of its undisturbed rounds where there are at least
// kFewestRounds, else all, whose interval is the wider.
std::vector<double> standing_samples(const LaunchSamples& launch);

}  // namespace ringside
