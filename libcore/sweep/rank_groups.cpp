#include "sweep/rank_groups.hpp"

#include <algorithm>
#include <set>

#include "sweep/group_settings.hpp"

namespace ringside {

RankGroups::RankGroups(const Plan& plan, RankGroupFactory& factory) {
  for (const PlannedRanks& ranks : plan.rank_groups)
    groups_.emplace_back(factory, group_settings(plan.request, ranks), plan.request.turn_timeout);
}

std::optional<TurnFailure> RankGroups::ask(const std::set<std::size_t>& rank_groups, const Request& request) {
  std::optional<TurnFailure> first;
  for (const std::size_t index : rank_groups) {
    auto failure = groups_[index].ask(request);
    if (!first) first = std::move(failure);
  }
  return first;
}

void RankGroups::set_deadline(const Clock& clock, TimePoint deadline) {
  for (RenewableGroup& group : groups_) group.set_deadline(clock, deadline);
}

void RankGroups::use_cores(const std::vector<int>& cores) {
  for (RenewableGroup& group : groups_) group.use_cores(cores);
}

std::vector<TurnFailure> RankGroups::renew() {
  return renew_all_but({});
}

std::vector<TurnFailure> RankGroups::renew_all_but(const std::vector<std::size_t>& kept) {
  std::vector<TurnFailure> failures;
  for (std::size_t index = 0; index < groups_.size(); ++index) {
    if (std::ranges::find(kept, index) != kept.end()) continue;
    if (auto failure = groups_[index].renew()) failures.push_back(std::move(*failure));
  }
  return failures;
}

std::vector<std::size_t> rank_groups_of(const Plan& plan, const std::vector<std::size_t>& cases) {
  std::set<std::size_t> used;
  for (const std::size_t index : cases) used.insert(plan.cases[index].rank_group);
  return {used.begin(), used.end()};
}

}  // namespace ringside
