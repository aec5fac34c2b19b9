#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sweep/plan.hpp"

namespace ringside {

// What a group of cases may take in a launch, verification and all.
struct TimeSlice {
  std::chrono::nanoseconds share{};  // it ends there once it has its fewest rounds
  std::chrono::nanoseconds limit{};  // it ends there with one round, or with none
  bool tight = false;                // one round is enough to end at `share`
};

// How the budget of a sweep is shared out. Every group of every launch is to get its fewest rounds; what is
// left over then is divided equally for further ones. Where there is too little for that, the first launch
// comes first, and in it as many groups as can have a verified round, by what was seen in this run so far.
class TimeShares {
 public:
  // `plan` must outlive it.
  explicit TimeShares(const Plan& plan) : plan_(plan), seen_(plan.groups.size()) {}

  // What the first of `groups` may take, with `elapsed` of the budget spent; `groups`: those that this launch
  // has still to do; `launches_after`: how many more come, with all groups. Absent: others come first, or
  // there is too little time.
  std::optional<TimeSlice> slice(int launch, std::span<const std::size_t> groups, int launches_after,
                                 std::chrono::nanoseconds elapsed) const;

  // A group was set up and verified in `setup`, and each of its rounds took `round`.
  void note_group(int launch, std::size_t group, std::chrono::nanoseconds setup,
                  std::chrono::nanoseconds round);
  // A group did not come to its first round within `time`.
  void note_unfinished(std::size_t group, std::chrono::nanoseconds time);
  // A launch took so long beside its groups: starting ranks, ending them.
  void note_launch(std::chrono::nanoseconds overhead);
  std::chrono::nanoseconds overhead() const { return overhead_.value_or(std::chrono::nanoseconds(0)); }

  // What a budget must be, by what is known now, for one verified round of some group; for the fewest rounds
  // of all groups in one launch.
  std::chrono::nanoseconds least_budget() const;
  std::chrono::nanoseconds whole_launch() const;

  // For a forecast: as if the group had been measured in the first launch, by what is known so far. What it
  // takes of `limit`.
  std::chrono::nanoseconds note_as_guessed(std::size_t group, std::chrono::nanoseconds limit);

 private:
  // By group; of the last launch it was in.
  struct Seen {
    int launch = 0;
    std::optional<std::chrono::nanoseconds> setup;
    std::optional<std::chrono::nanoseconds> round;
    std::chrono::nanoseconds unfinished{};  // longer than this
  };

  double setup_ns(int launch, std::size_t group) const;
  double round_ns(std::size_t group) const;
  double least_ns(int launch, std::size_t group) const;     // the fewest rounds
  double smallest_ns(int launch, std::size_t group) const;  // one round, verified as briefly as can be
  // How much longer than guessed what was seen took.
  double setup_slowness() const;
  double round_slowness() const;
  double promised_ns(int launch, std::span<const std::size_t> groups) const;
  bool anything_measured() const;
  bool tried() const;  // and not finished
  double left_ns(std::chrono::nanoseconds elapsed) const;
  std::optional<TimeSlice> one_round(int launch, std::span<const std::size_t> groups, double left_ns) const;

  const Plan& plan_;
  std::vector<Seen> seen_;
  std::optional<std::chrono::nanoseconds> overhead_;
};

// What stays undone, by a guess: of a plan with this budget, on a machine that was not looked at.
struct Forecast {
  std::chrono::nanoseconds time{};          // of the whole command
  std::vector<std::size_t> left_out;        // groups without a round
  std::chrono::nanoseconds whole_budget{};  // that would do for one launch of all groups
  std::chrono::nanoseconds all_launches{};  // with the fewest rounds of all groups
};
Forecast forecast(const Plan& plan);

}  // namespace ringside
