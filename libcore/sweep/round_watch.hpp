#pragma once

#include <optional>
#include <set>
#include <vector>

#include "base/clock.hpp"
#include "machine/gpu_state.hpp"
#include "machine/host_watch.hpp"
#include "model/interval.hpp"
#include "protocol/requests.hpp"

namespace ringside {

// What disturbed the rounds of one attempt at a group. A round may count for several reasons.
struct Disturbance {
  int rounds = 0;                     // all that were looked at
  int waited_rounds = 0;              // a rank waited for its core
  int stolen_rounds = 0;              // a hypervisor took cores
  int throttled_rounds = 0;           // a CPU quota stopped the ranks
  int clock_rounds = 0;               // a core's or GPU's speed moved within the round
  std::optional<double> core_wait;    // the longest wait, as a share of its turn; absent: not known
  double stolen = 0;                  // the largest share of the cores' time between two looks
  Throttling throttling{};            // over all rounds
  std::optional<Interval> spin_ns;    // of a fixed loop on a rank's core, the fastest and the slowest turn
  std::optional<Interval> sm_mhz;     // of the GPUs
  std::optional<int> busy_processes;  // other ones that can be seen; absent: not looked at for long enough
  std::set<int> disturbed;            // those rounds, from 0
};

// The medians of the rounds that were not disturbed; `round_medians_ns[k]`: those of case k, round by round.
std::vector<std::vector<double>> without(const std::set<int>& disturbed,
                                         const std::vector<std::vector<double>>& round_medians_ns);

// The cores that ranks have.
struct RankCores {
  std::vector<int> pinned;  // one for each rank; empty: none is pinned
  int usable = 1;           // that they may keep busy together
};

// Looks at each round of an attempt as it is timed, and finds those in which the ranks did not have their
// cores, or GPUs their clocks, as in the others. The limits stand in docs/measuring.md.
class RoundWatch {
 public:
  // `host` may be null: nothing but the ranks' own words then. Clock and host must outlive it.
  RoundWatch(const Clock& clock, const HostWatch* host, RankCores cores);

  void add_turn(const std::vector<SampleReply>& replies, const std::vector<GpuState>& gpus);
  // A hypervisor's and a quota's counters are read five times a second at most: what they show is found for
  // all rounds since they were read last.
  void end_round();
  // The last look. No round may follow.
  void end();

  const Disturbance& found() const { return found_; }

 private:
  void look();
  void disturb_since_look(int& counter);
  double stolen_share(const HostMoment& now) const;
  void add_waits(const std::vector<SampleReply>& replies);
  void add_spins(const std::vector<SampleReply>& replies);

  const Clock& clock_;
  const HostWatch* host_;
  RankCores cores_;
  TimePoint looked_;
  HostMoment moment_;
  int first_since_look_ = 0;
  std::optional<TimePoint> processes_from_;
  ProcessTimes processes_;
  double round_wait_ = 0;
  std::vector<std::optional<Interval>> round_spins_;   // of each rank
  std::vector<std::optional<Interval>> round_sm_mhz_;  // of each GPU
  Disturbance found_;
};

}  // namespace ringside
