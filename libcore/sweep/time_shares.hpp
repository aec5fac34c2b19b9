#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "sweep/plan.hpp"

namespace ringside {

// How the budget of a sweep is shared out. Every group of every launch is to get its fewest rounds; what is
// left over then is divided equally for further ones.
class TimeShares {
 public:
  // `plan` must outlive it.
  explicit TimeShares(const Plan& plan) : plan_(plan), least_(plan.groups.size()) {}

  // What the group may take in this launch, verification and all, with `elapsed` of the budget spent. The
  // fewest rounds are done anyhow.
  std::chrono::nanoseconds share(int launch, std::size_t group, std::chrono::nanoseconds elapsed) const;

  // The group took so long until its fewest rounds were done.
  void note_group(std::size_t group, std::chrono::nanoseconds least);
  // A launch took so long beside its groups: starting ranks, ending them.
  void note_launch(std::chrono::nanoseconds overhead);

  // Whether a launch with the fewest rounds can be expected to end within the budget.
  bool fits_another_launch(std::chrono::nanoseconds elapsed) const;

 private:
  // What the fewest rounds take: as seen, else a guess.
  std::chrono::nanoseconds least(int launch, std::size_t group) const;
  double estimate_ns(int launch, std::size_t group) const;
  // How much longer than estimated the groups took that have been seen; 1 at least.
  double slowness() const;

  const Plan& plan_;
  std::vector<std::optional<std::chrono::nanoseconds>> least_;  // by group, of any launch so far
  std::optional<std::chrono::nanoseconds> overhead_;
};

}  // namespace ringside
