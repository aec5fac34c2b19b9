#include "sweep/touch.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kNoTime_ns = 0.1;
constexpr std::size_t kMostTooShort = 10;  // one sample of so many

}  // namespace

TouchOutcome take_touch_off(std::vector<double> touches_ns, const std::set<int>& disturbed,
                            LaunchSamples& samples) {
  std::vector<double> clean;
  for (std::size_t round = 0; round < touches_ns.size(); ++round) {
    if (!disturbed.contains(static_cast<int>(round))) clean.push_back(touches_ns[round]);
  }
  if (clean.empty()) clean.push_back(std::ranges::min(touches_ns));
  const double touch = median(clean);
  const auto too_short = static_cast<std::size_t>(
      std::ranges::count_if(samples.samples_ns, [&](double sample) { return sample <= touch; }));
  if (too_short * kMostTooShort > samples.samples_ns.size())
    return disturbed.empty() ? TouchOutcome::no_time_left : TouchOutcome::not_known;
  samples.touch_ns = touch;
  samples.touch_interval95_ns = median_interval95(clean);
  // A repetition that was faster than the touching usually is took no time that can be told.
  for (double& sample : samples.samples_ns) sample = std::max(sample - touch, kNoTime_ns);
  return TouchOutcome::taken_off;
}

}  // namespace ringside
