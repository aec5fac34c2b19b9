#pragma once

#include <optional>
#include <set>
#include <vector>

#include "sweep/plan.hpp"
#include "sweep/renewable_group.hpp"

namespace ringside {

// The ranks of a plan, by PlannedCase::rank_group. They take turns: those that are not asked wait for their
// sockets, with nothing of theirs on the device.
class RankGroups {
 public:
  // `factory` must outlive it.
  RankGroups(const Plan& plan, RankGroupFactory& factory);

  std::size_t size() const { return groups_.size(); }
  RenewableGroup& operator[](std::size_t rank_group) { return groups_[rank_group]; }
  const RenewableGroup& operator[](std::size_t rank_group) const { return groups_[rank_group]; }

  // Asks these one after the other, whatever some of them answer. The first failure.
  std::optional<TurnFailure> ask(const std::set<std::size_t>& rank_groups, const Request& request);

  // See RenewableGroup.
  void set_deadline(const Clock& clock, TimePoint deadline);
  void use_cores(const std::vector<int>& cores);

  // Fresh processes at the next start. The failures: see RenewableGroup::renew().
  std::vector<TurnFailure> renew();
  // The same for all but these.
  std::vector<TurnFailure> renew_all_but(const std::vector<std::size_t>& kept);

 private:
  std::vector<RenewableGroup> groups_;
};

// The rank groups that these cases need, ascending.
std::vector<std::size_t> rank_groups_of(const Plan& plan, const std::vector<std::size_t>& cases);

}  // namespace ringside
