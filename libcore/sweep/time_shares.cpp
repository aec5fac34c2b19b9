#include "sweep/time_shares.hpp"

#include <algorithm>

#include "sweep/group_attempt.hpp"

namespace ringside {
namespace {

using std::chrono::nanoseconds;

nanoseconds in_ns(double time_ns) {
  return nanoseconds(static_cast<std::int64_t>(time_ns));
}

// What verification of a group takes, roughly: the first strategy's outputs are compared with every rank's
// data, the others' with the first one's.
double verification_ns(const Case& params, int launch, std::size_t cases) {
  const double per_byte_ns = 25.0 * params.ranks + (launch == 0 ? 12.0 : 4.0) * static_cast<double>(cases);
  return per_byte_ns * static_cast<double>(params.bytes.count);
}

// What the fewest rounds of a group take, roughly. A graph has all its calls, however long they are; on other
// terms a turn is cut to its length, or is one call.
double rounds_ns(const Case& params, const SweepRequest& request, std::size_t cases) {
  constexpr int kCalibration = 3;
  constexpr double kAsk_ns = 3e5;
  const double call_ns = 1e4 + static_cast<double>(params.bytes.count) / 150;
  const double turn_ns =
      params.mode == Mode::graph ? call_ns * request.calls_per_sample : turn_length(request.device).target_ns;
  return (request.min_rounds + kCalibration) * static_cast<double>(cases) * (kAsk_ns + turn_ns);
}

}  // namespace

double TimeShares::estimate_ns(int launch, std::size_t group) const {
  const std::vector<std::size_t>& cases = plan_.groups[group].cases;
  const Case& params = plan_.cases[cases.front()].params;
  return verification_ns(params, launch, cases.size()) + rounds_ns(params, plan_.request, cases.size());
}

double TimeShares::slowness() const {
  double seen_ns = 0;
  double estimated_ns = 0;
  for (std::size_t group = 0; group < least_.size(); ++group) {
    if (!least_[group]) continue;
    seen_ns += static_cast<double>(least_[group]->count());
    estimated_ns += estimate_ns(0, group);
  }
  constexpr double kMost = 10;  // small messages say little about large ones
  return estimated_ns > 0 ? std::clamp(seen_ns / estimated_ns, 1.0, kMost) : 1;
}

nanoseconds TimeShares::least(int launch, std::size_t group) const {
  if (least_[group]) return *least_[group];
  return in_ns(estimate_ns(launch, group) * slowness());
}

nanoseconds TimeShares::share(int launch, std::size_t group, nanoseconds elapsed) const {
  nanoseconds left = plan_.request.budget - elapsed;
  std::int64_t groups = 0;
  for (int l = launch; l < plan_.request.launches; ++l) {
    if (l > launch) left -= overhead_.value_or(nanoseconds(0));
    for (std::size_t g = l == launch ? group : 0; g < plan_.groups.size(); ++g, ++groups) left -= least(l, g);
  }
  // A guess is kept back for others, but nobody measures longer because of it.
  return least_[group].value_or(nanoseconds(0)) +
         std::max(left, nanoseconds(0)) / std::max<std::int64_t>(groups, 1);
}

void TimeShares::note_group(std::size_t group, nanoseconds least) {
  least_[group] = std::min(least_[group].value_or(least), least);
}

void TimeShares::note_launch(nanoseconds overhead) {
  overhead_ = std::min(overhead_.value_or(overhead), overhead);
}

bool TimeShares::fits_another_launch(nanoseconds elapsed) const {
  nanoseconds needed = elapsed + overhead_.value_or(nanoseconds(0));
  for (const auto& least : least_) needed += least.value_or(nanoseconds(0));
  return needed <= plan_.request.budget;
}

}  // namespace ringside
