#include "sweep/round_watch.hpp"

#include <algorithm>

namespace ringside {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 200ms;     // a look takes a millisecond at most, with hundreds of cores
constexpr double kMostWait = 0.05;        // of a turn; a tick's work and a short interrupt stay below
constexpr double kMostCrowdedWait = 0.2;  // ranks that take turns on a core lose some time to the switches
constexpr double kMostStolen = 0.05;      // of the cores' time
constexpr double kMostThrottled = 0.05;   // of the time between two looks
constexpr double kSpinStep = 0.15;     // between the turns of a round; a shared machine's cores vary by 5 %
constexpr double kSmClockStep = 0.05;  // between the turns of a round

void widen(std::optional<Interval>& interval, double value) {
  if (!interval) interval = Interval{value, value};
  interval->low = std::min(interval->low, value);
  interval->high = std::max(interval->high, value);
}

bool stepped(const std::vector<std::optional<Interval>>& intervals, double step) {
  return std::ranges::any_of(intervals, [&](const std::optional<Interval>& interval) {
    return interval && interval->high > (1 + step) * interval->low;
  });
}

}  // namespace

std::vector<std::vector<double>> without(const std::set<int>& disturbed,
                                         const std::vector<std::vector<double>>& round_medians_ns) {
  if (disturbed.empty()) return round_medians_ns;
  std::vector<std::vector<double>> clean(round_medians_ns.size());
  for (std::size_t slot = 0; slot < clean.size(); ++slot) {
    for (std::size_t round = 0; round < round_medians_ns[slot].size(); ++round) {
      if (!disturbed.contains(static_cast<int>(round))) clean[slot].push_back(round_medians_ns[slot][round]);
    }
  }
  return clean;
}

RoundWatch::RoundWatch(const Clock& clock, const HostWatch* host, RankCores cores)
    : clock_(clock), host_(host), cores_(std::move(cores)), looked_(clock.now()) {
  if (host_ != nullptr) moment_ = host_->look();
}

void RoundWatch::add_turn(const std::vector<SampleReply>& replies, const std::vector<GpuState>& gpus) {
  add_waits(replies);
  add_spins(replies);
  if (round_sm_mhz_.size() < gpus.size()) round_sm_mhz_.resize(gpus.size());
  for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    widen(round_sm_mhz_[gpu], gpus[gpu].sm_mhz);
    widen(found_.sm_mhz, gpus[gpu].sm_mhz);
  }
}

// Ranks with a core of their own could run all the time; more ranks than cores can have no more than the
// cores, all together.
void RoundWatch::add_waits(const std::vector<SampleReply>& replies) {
  double most = 0;
  double had_ns = 0;
  double longest_ns = 0;
  for (const SampleReply& reply : replies) {
    const auto& turn = reply.conditions;
    if (!turn || !turn->waited_ns || !turn->cpu_ns || turn->wall_ns <= 0) return;
    most = std::max(most, *turn->waited_ns / turn->wall_ns);
    had_ns += *turn->cpu_ns;
    longest_ns = std::max(longest_ns, turn->wall_ns);
  }
  const bool crowded = static_cast<int>(replies.size()) > cores_.usable;
  if (crowded) most = 1 - had_ns / (longest_ns * cores_.usable);
  most = std::clamp(most, 0.0, 1.0);
  round_wait_ = std::max(round_wait_, most / (crowded ? kMostCrowdedWait : kMostWait));
  found_.core_wait = std::max(found_.core_wait.value_or(0), most);
}

void RoundWatch::add_spins(const std::vector<SampleReply>& replies) {
  round_spins_.resize(replies.size());
  for (std::size_t rank = 0; rank < replies.size(); ++rank) {
    const auto& turn = replies[rank].conditions;
    if (!turn || !turn->spin_ns) continue;
    widen(round_spins_[rank], *turn->spin_ns);
    widen(found_.spin_ns, *turn->spin_ns);
  }
}

void RoundWatch::end_round() {
  const int round = found_.rounds++;
  if (round_wait_ > 1) {
    ++found_.waited_rounds;
    found_.disturbed.insert(round);
  }
  if (stepped(round_spins_, kSpinStep) || stepped(round_sm_mhz_, kSmClockStep)) {
    ++found_.clock_rounds;
    found_.disturbed.insert(round);
  }
  round_wait_ = 0;
  round_spins_.clear();
  round_sm_mhz_.clear();
  if (host_ == nullptr) return;
  if (!found_.disturbed.empty() && !processes_from_) {
    processes_from_ = clock_.now();
    processes_ = host_->processes();
  }
  if (clock_.now() - looked_ >= kBetweenLooks) look();
}

void RoundWatch::end() {
  if (host_ == nullptr || found_.rounds == 0) return;
  look();
  if (!processes_from_) return;
  const auto time = clock_.now() - *processes_from_;
  if (time >= kBetweenLooks)  // ticks of less time say nothing
    found_.busy_processes = busy_processes(processes_, host_->processes(), time);
}

double RoundWatch::stolen_share(const HostMoment& now) const {
  CoreTimes sum;
  for (const auto& [core, times] : now.cores) {
    const bool ours = cores_.pinned.empty() || std::ranges::count(cores_.pinned, core) > 0;
    const auto before = moment_.cores.find(core);
    if (!ours || before == moment_.cores.end()) continue;
    const CoreTimes spent = times - before->second;
    sum.stolen += spent.stolen;
    sum.all += spent.all;
  }
  constexpr unsigned long long kTicks = 2;  // fewer may belong to before
  if (sum.stolen < kTicks || sum.all == 0) return 0;
  return static_cast<double>(sum.stolen) / static_cast<double>(sum.all);
}

void RoundWatch::disturb_since_look(int& counter) {
  for (int round = first_since_look_; round < found_.rounds; ++round) {
    ++counter;
    found_.disturbed.insert(round);
  }
}

void RoundWatch::look() {
  HostMoment now = host_->look();
  const TimePoint time = clock_.now();
  const double stolen = stolen_share(now);
  found_.stolen = std::max(found_.stolen, stolen);
  if (stolen > kMostStolen) disturb_since_look(found_.stolen_rounds);
  if (now.throttling && moment_.throttling && now.throttling->times > moment_.throttling->times) {
    const auto stopped = now.throttling->stopped - moment_.throttling->stopped;
    found_.throttling.times += now.throttling->times - moment_.throttling->times;
    found_.throttling.stopped += stopped;
    const std::chrono::duration<double> whole = time - looked_;
    if (std::chrono::duration<double>(stopped) > kMostThrottled * whole)
      disturb_since_look(found_.throttled_rounds);
  }
  moment_ = std::move(now);
  looked_ = time;
  first_since_look_ = found_.rounds;
}

}  // namespace ringside
