#include "sweep/time_shares.hpp"

#include <algorithm>
#include <numeric>

#include "sweep/group_attempt.hpp"

namespace ringside {
namespace {

using std::chrono::nanoseconds;

constexpr double kSecond = 1e9;

nanoseconds in_ns(double time_ns) {
  return nanoseconds(static_cast<std::int64_t>(std::max(time_ns, 0.0)));
}

double count(nanoseconds time) {
  return static_cast<double>(time.count());
}

const Case& first_case(const Plan& plan, std::size_t group) {
  return plan.cases[plan.groups[group].cases.front()].params;
}

// Set-up and verification of a group, roughly.
struct SetupGuess {
  double asks_ns = 0;
  double verify_ns = 0;

  double whole() const { return asks_ns + verify_ns; }
  // With verification as brief as can be.
  double brief_share() const {
    constexpr double kBrief = 0.3;
    return (asks_ns + kBrief * verify_ns) / whole();
  }
};

// The first strategy's outputs are compared with every rank's data, the others' with the first one's.
SetupGuess guess_setup(const Plan& plan, int launch, std::size_t group) {
  constexpr double kAsks_ns = 5e6;
  const Case& params = first_case(plan, group);
  const auto cases = static_cast<double>(plan.groups[group].cases.size());
  const double per_byte_ns = 25.0 * params.ranks + (launch == 0 ? 12.0 : 4.0) * cases;
  return {kAsks_ns * (cases + 1), per_byte_ns * static_cast<double>(params.bytes.count)};
}

// A round of a group, roughly. A graph has all its calls, however long they are; on other terms a turn is cut
// to its length, or is one call and one before it to warm up.
double guess_round_ns(const Case& params, const SweepRequest& request, std::size_t cases) {
  constexpr double kAsk_ns = 3e5;
  const double bytes = static_cast<double>(params.bytes.count);
  const double call_ns =
      request.device == DeviceKind::host ? 500 + bytes * params.ranks / 2 : 1e4 + bytes / 150;
  const double turn_ns = params.mode == Mode::graph
                             ? call_ns * request.calls_per_sample
                             : std::max(1.1 * turn_length(request.device).target_ns, 2 * call_ns);
  return static_cast<double>(cases) * (kAsk_ns + turn_ns);
}

double guess_round_ns(const Plan& plan, std::size_t group) {
  return guess_round_ns(first_case(plan, group), plan.request, plan.groups[group].cases.size());
}

// What was seen by what was guessed of it. Small messages say little about large ones.
double slowness(double seen_ns, double guessed_ns) {
  constexpr double kFastest = 0.5;
  constexpr double kSlowest = 20;
  return guessed_ns > 0 ? std::clamp(seen_ns / guessed_ns, kFastest, kSlowest) : 1;
}

// Those that fit together, the cheapest first.
std::vector<bool> cheapest_first(const std::vector<double>& costs_ns, double left_ns) {
  std::vector<std::size_t> order(costs_ns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return costs_ns[at]; });
  std::vector<bool> chosen(costs_ns.size());
  for (const std::size_t at : order) {
    left_ns -= costs_ns[at];
    if (left_ns < 0) break;
    chosen[at] = true;
  }
  return chosen;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

template <typename Cost>
std::vector<double> costs(std::span<const std::size_t> groups, Cost cost) {
  std::vector<double> costs;
  for (const std::size_t group : groups) costs.push_back(cost(group));
  return costs;
}

}  // namespace

double TimeShares::setup_slowness() const {
  double seen_ns = 0;
  double guessed_ns = 0;
  for (std::size_t group = 0; group < seen_.size(); ++group) {
    const Seen& seen = seen_[group];
    const SetupGuess guess = guess_setup(plan_, seen.launch, group);
    if (!seen.setup && seen.unfinished.count() == 0) continue;
    seen_ns += seen.setup ? count(*seen.setup) : count(seen.unfinished) / guess.brief_share();
    guessed_ns += guess.whole();
  }
  return slowness(seen_ns, guessed_ns);
}

double TimeShares::round_slowness() const {
  double seen_ns = 0;
  double guessed_ns = 0;
  for (std::size_t group = 0; group < seen_.size(); ++group) {
    if (!seen_[group].round) continue;
    seen_ns += count(*seen_[group].round);
    guessed_ns += guess_round_ns(plan_, group);
  }
  return slowness(seen_ns, guessed_ns);
}

double TimeShares::setup_ns(int launch, std::size_t group) const {
  const Seen& seen = seen_[group];
  const SetupGuess guess = guess_setup(plan_, launch, group);
  if (seen.setup) return count(*seen.setup) * guess.whole() / guess_setup(plan_, seen.launch, group).whole();
  return std::max(guess.whole() * setup_slowness(), count(seen.unfinished) / guess.brief_share());
}

double TimeShares::round_ns(std::size_t group) const {
  const Seen& seen = seen_[group];
  return seen.round ? count(*seen.round) : guess_round_ns(plan_, group) * round_slowness();
}

double TimeShares::least_ns(int launch, std::size_t group) const {
  constexpr int kCalibration = 1;
  return setup_ns(launch, group) + (plan_.request.min_rounds + kCalibration) * round_ns(group);
}

double TimeShares::smallest_ns(int launch, std::size_t group) const {
  return guess_setup(plan_, launch, group).brief_share() * setup_ns(launch, group) + round_ns(group);
}

// The ranks' end and the document take the rest.
double TimeShares::left_ns(nanoseconds elapsed) const {
  const double budget = count(plan_.request.budget);
  return budget - std::min(0.05 * kSecond + 0.02 * budget, kSecond) - count(elapsed);
}

std::optional<TimeSlice> TimeShares::slice(int launch, std::span<const std::size_t> groups,
                                           int launches_after, nanoseconds elapsed) const {
  const std::size_t group = groups.front();
  const double left = left_ns(elapsed);
  const double own = least_ns(launch, group);
  const double these = sum(costs(groups, [&](std::size_t g) { return least_ns(launch, g); }));
  double later = count(overhead_.value_or(nanoseconds(0)));
  for (std::size_t g = 0; g < plan_.groups.size(); ++g) later += least_ns(launch + 1, g);
  later *= launches_after;
  const double spare = std::max(left - these - later, 0.0);
  const double sharing = static_cast<double>(groups.size()) +
                         static_cast<double>(launches_after) * static_cast<double>(plan_.groups.size());
  // A guess is kept back for others, but nobody measures longer because of it.
  const double share = (seen_[group].round ? own : 0) + spare / sharing;
  if (!plan_.request.firm_budget && launch == 0) return TimeSlice{in_ns(share), nanoseconds::max()};
  if (these <= left && (launch == 0 || these + later <= left))
    return TimeSlice{in_ns(share), in_ns(left - these + own)};
  if (launch == 0) return one_round(launch, groups, left);
  // Not all groups can have all launches: as many as can have all that is left of them, else one.
  const double free = left - launches_after * promised_ns(launch, groups);
  for (const int launches : {launches_after + 1, 1}) {
    const auto wanted = costs(groups, [&](std::size_t g) { return launches * least_ns(launch, g); });
    if (std::ranges::min(wanted) > free) continue;
    if (!cheapest_first(wanted, free).front()) return std::nullopt;
    return TimeSlice{in_ns(own), in_ns(std::min(free, 2 * own))};
  }
  return launches_after == 0 ? one_round(launch, groups, left) : std::nullopt;
}

// A later launch of the groups that this one has already measured.
double TimeShares::promised_ns(int launch, std::span<const std::size_t> groups) const {
  double promised = 0;
  for (std::size_t group = 0; group < seen_.size(); ++group) {
    const bool to_do = std::ranges::find(groups, group) != groups.end();
    if (!to_do && seen_[group].setup && seen_[group].launch == launch)
      promised += least_ns(launch + 1, group);
  }
  return promised;
}

// There is too little time for the fewest rounds of all: what is over when as many as possible have one is
// theirs, by what they need.
std::optional<TimeSlice> TimeShares::one_round(int launch, std::span<const std::size_t> groups,
                                               double left_ns) const {
  const auto smallest = costs(groups, [&](std::size_t g) { return smallest_ns(launch, g); });
  const std::vector<bool> chosen = cheapest_first(smallest, left_ns);
  // Until something was measured there are only guesses, which are no reason to try nothing, nor to end the
  // first try early.
  if (!anything_measured() && std::ranges::min(smallest) == smallest.front() && left_ns > 0) {
    const double most = tried() ? left_ns : 0.7 * left_ns;
    return TimeSlice{in_ns(smallest.front()), in_ns(std::max(most, smallest.front())), true};
  }
  if (!chosen.front()) return std::nullopt;
  double spare = left_ns;
  double need = 0;
  for (std::size_t at = 0; at < groups.size(); ++at) {
    if (!chosen[at]) continue;
    spare -= smallest[at];
    need += least_ns(launch, groups[at]);
  }
  const double share = smallest.front() + spare * least_ns(launch, groups.front()) / need;
  // What was predicted may take longer.
  return TimeSlice{in_ns(share), in_ns(std::min(share + smallest.front(), left_ns)), true};
}

bool TimeShares::anything_measured() const {
  return std::ranges::any_of(seen_, [](const Seen& seen) { return seen.setup.has_value(); });
}

bool TimeShares::tried() const {
  return std::ranges::any_of(seen_, [](const Seen& seen) { return seen.unfinished.count() > 0; });
}

void TimeShares::note_group(int launch, std::size_t group, nanoseconds setup, nanoseconds round) {
  seen_[group] = {launch, setup, round, nanoseconds(0)};
}

void TimeShares::note_unfinished(std::size_t group, nanoseconds time) {
  if (!seen_[group].setup) seen_[group].unfinished = std::max(seen_[group].unfinished, time);
}

void TimeShares::note_launch(nanoseconds overhead) {
  overhead_ = std::min(overhead_.value_or(overhead), overhead);
}

nanoseconds TimeShares::least_budget() const {
  constexpr double kMargin = 1.25;
  double smallest = 0;
  for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
    const double one = smallest_ns(0, group);
    smallest = group == 0 ? one : std::min(smallest, one);
  }
  const double reserve = count(plan_.request.budget) - left_ns(nanoseconds(0));
  return in_ns(kMargin * (count(overhead_.value_or(nanoseconds(0))) + smallest) + reserve);
}

nanoseconds TimeShares::note_as_guessed(std::size_t group, nanoseconds limit) {
  const nanoseconds least = in_ns(least_ns(0, group));
  note_group(0, group, in_ns(setup_ns(0, group)), in_ns(round_ns(group)));
  return std::min(least, limit);
}

nanoseconds TimeShares::whole_launch() const {
  double whole = count(overhead_.value_or(nanoseconds(0)));
  for (std::size_t group = 0; group < plan_.groups.size(); ++group) whole += least_ns(0, group);
  return in_ns(1.05 * whole + 0.1 * kSecond);
}

Forecast forecast(const Plan& plan) {
  const nanoseconds start =
      plan.request.device == DeviceKind::cuda ? std::chrono::seconds(10) : std::chrono::milliseconds(300);
  TimeShares shares(plan);
  shares.note_launch(start);
  const nanoseconds launch = shares.whole_launch();
  Forecast forecast{plan.estimate, {}, launch, launch * plan.request.launches};
  if (!plan.request.firm_budget) return forecast;
  forecast.time = std::min(forecast.time, plan.request.budget);
  std::vector<std::size_t> groups(plan.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  nanoseconds elapsed = start;
  for (std::size_t at = 0; at < groups.size(); ++at) {
    const auto slice = shares.slice(0, std::span(groups).subspan(at), plan.request.launches - 1, elapsed);
    if (slice)
      elapsed += shares.note_as_guessed(groups[at], slice->tight ? slice->share : slice->limit);
    else
      forecast.left_out.push_back(groups[at]);
  }
  return forecast;
}

}  // namespace ringside
