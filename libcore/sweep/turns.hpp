#pragma once

#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include "model/document.hpp"
#include "sweep/group_attempt.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// Which groups had their turn in which launch, and how it ended.
class Turns {
 public:
  // What a group can want of the time that is left.
  enum class Want {
    rounds,  // it was not measured in the launch, or in too few undisturbed rounds, for want of time
    longer   // its share of the time ended it; a longer turn may decide it
  };

  // `plan` must outlive it.
  explicit Turns(const Plan& plan);

  void note(int launch, std::size_t group, const AttemptResult& result);
  // None of its cases can be measured.
  void note_failed(int launch, std::size_t group);
  // Whether any group had a turn.
  bool begun() const { return started_; }
  // The groups that a launch has to do: those that the first one has measured.
  std::vector<std::size_t> groups_for(int launch) const;
  // Launches in which every group had its turn.
  int whole_launches() const;
  // Groups that want another turn in the launch, with `left` of the budget.
  std::vector<std::size_t> wanting(int launch, Want want, const Document& document,
                                   std::chrono::nanoseconds left) const;

 private:
  struct Turn {
    bool had = false;
    bool failed = false;
    int rounds = 0;
    std::size_t undisturbed = 0;
    StopReason reason = StopReason::none;
    std::chrono::nanoseconds took{};
  };

  bool wants_rounds(const Turn& turn) const;
  bool wants_longer(const Turn& turn, std::chrono::nanoseconds left) const;
  bool decided(std::size_t group, const Document& document) const;

  const Plan& plan_;
  std::vector<std::vector<Turn>> turns_;  // of each launch, by group
  bool started_ = false;
};

}  // namespace ringside
