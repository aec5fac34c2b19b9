#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "model/document.hpp"
#include "sweep/disturbance_report.hpp"
#include "sweep/group_attempt.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// The rows of a sweep while it runs: one per planned case, all there from the beginning, so that the Document
// can be written at any time.
class SweepRows {
 public:
  // Fills document.rows; cases that are not admitted are skipped with their reason, the others "not reached"
  // yet.
  SweepRows(const Plan& plan, Document& document);

  // Whether the case still takes part: not skipped, not failed.
  bool open(std::size_t case_index) const { return open_[case_index]; }

  // One launch's results of a group. Of two of the same launch the one with more undisturbed rounds stays.
  void add(const AttemptResult& result);

  // What strategies that stand for several took in an attempt, whatever became of it.
  void note_strategy_choices(const AttemptResult& result);

  // What a library was asked for in a case and what it says it ran; a difference becomes a Finding.
  void note_choice(std::size_t case_index, const std::string& asked,
                   const std::optional<LibraryReport>& report);

  // The case is over: failed, timed out or wrong. After two time-outs of a strategy its other open cases are
  // skipped.
  void fail(const AttemptResult::Failed& failed);

  // The ranks failed while no case had its turn, and are started afresh.
  void note_restart(const TurnFailure& failure);

  // The ranks of a launch may keep so many cores busy.
  void note_cores(int usable);

  // Gives what is left "not reached" its final words, judges the cases of each size, dtype and mode, says
  // what disturbed them, and where nothing was measured at all. `least_budget`: that would do for one
  // verified round. True: every case had its turn.
  bool finish(bool interrupted, std::chrono::nanoseconds least_budget);

 private:
  void skip(std::size_t case_index, Finding finding);
  void describe_unreached();
  void note_nothing_measured(bool unreached, std::chrono::nanoseconds least_budget);
  void note_link(Bytes message, const LinkLimits& limits);
  void note_floor(Row& row, const LinkLimits& limits, LaunchSamples* launch);
  void note_clocks(Row& row, const ClockRecord& clocks);
  // What other launches measured stays, and later ones may still measure the case.
  void note_busy(Row& row, const std::string& why);
  void note_unsafe(Row& row, const std::string& what);
  void note_skew(Row& row, const SkewRecord& skew);

  const Plan& plan_;
  Document& document_;
  std::vector<bool> open_;
  std::map<std::string, int> timeouts_;  // by strategy
  DisturbanceReport disturbances_;
};

}  // namespace ringside
