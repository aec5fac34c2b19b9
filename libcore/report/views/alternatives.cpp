#include "report/views/trace_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace ringside {
namespace {

struct Group {
  const Counterfactual* first;
  std::string stem;                 // "--moe-runner-backend"
  std::vector<std::string> others;  // "cutlass", "triton"
};

// "--moe-runner-backend auto" up to its value; the whole change where it has none.
std::string stem_of(const std::string& change) {
  return change.substr(0, change.rfind(' '));
}

bool belongs(const Group& group, const Counterfactual& other) {
  const Counterfactual& first = *group.first;
  return first.outcome == other.outcome && first.gives_up == other.gives_up &&
         first.changes.size() == other.changes.size() && first.changes.back() != other.changes.back() &&
         group.stem == stem_of(other.changes.back()) && group.stem.starts_with("--") &&
         std::equal(first.changes.begin(), first.changes.end() - 1, other.changes.begin());
}

}  // namespace

Alternatives alternatives(const std::vector<Counterfactual>& counterfactuals) {
  std::vector<Group> groups;
  for (const Counterfactual& found : counterfactuals) {
    if (found.changes.empty()) continue;
    const std::string& last = found.changes.back();
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& known) { return belongs(known, found); });
    if (group == groups.end())
      groups.push_back({&found, stem_of(last), {}});
    else
      group->others.push_back(last.substr(group->stem.size() + 1));
  }
  Alternatives made;
  for (const Group& group : groups) {
    std::string changes = join(group.first->changes, " and ");
    if (!group.others.empty()) changes += fmt::format(" (or {})", join(group.others, ", "));
    made.items.push_back({std::move(changes), group.first->outcome, group.first->gives_up});
  }
  return made;
}

}  // namespace ringside
