#include "sweep/fit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr std::size_t kFewNames = 4;

// Estimates that were fitted to the same times.
struct Fitted {
  std::string to;
  std::vector<std::string> names;
  double median = 0;
  double worst = 0;
};

const FitError* find_error(const MachineProfile& machine, const Case& params, std::string_view strategy) {
  const auto found = std::ranges::find_if(machine.fit_errors, [&](const FitError& error) {
    return error.strategy == strategy && error.mode == params.mode && error.ranks == params.ranks;
  });
  return found == machine.fit_errors.end() ? nullptr : &*found;
}

// Of the case's strategy, or of the one that it takes.
const FitError* error_of(const MachineProfile& machine, const Case& params) {
  if (const FitError* const error = find_error(machine, params, params.strategy)) return error;
  const DeviceKind device = machine.device() == DeviceKind::host ? DeviceKind::host : DeviceKind::model;
  const Strategy* const strategy = find_strategy(params.strategy, device);
  const auto choice = strategy == nullptr ? std::nullopt : strategy->choose_on(params, machine);
  return choice ? find_error(machine, params, choice->ran) : nullptr;
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

Fitted& group_of(std::vector<Fitted>& groups, const std::string& to) {
  const auto found = std::ranges::find(groups, to, &Fitted::to);
  return found != groups.end() ? *found : groups.emplace_back(Fitted{.to = to, .names = {}});
}

std::string listed(const std::vector<std::string>& names) {
  return names.size() <= kFewNames ? join(names, ", ") : fmt::format("{} estimates", names.size());
}

}  // namespace

std::string fit_text(const MachineProfile& machine, const std::vector<Case>& cases) {
  const bool one_mode =
      std::ranges::all_of(cases, [&](const Case& params) { return params.mode == cases.front().mode; });
  std::vector<Fitted> groups;
  std::vector<std::string> assumed;
  for (const Case& params : cases) {
    const std::string name =
        one_mode ? params.strategy : fmt::format("{} {}", params.strategy, to_string(params.mode));
    const FitError* const error = error_of(machine, params);
    if (error == nullptr) {
      add_name(assumed, name);
      continue;
    }
    Fitted& group = group_of(groups, error->to);
    add_name(group.names, name);
    group.median = std::max(group.median, error->median);
    group.worst = std::max(group.worst, error->worst);
  }
  if (groups.empty()) return "assumed, not fitted to any times";
  std::vector<std::string> parts;
  for (const Fitted& group : groups) {
    parts.push_back(fmt::format("{} to {}: {:.0f} % off in the middle, {:.0f} % at most", listed(group.names),
                                group.to, 100 * group.median, 100 * group.worst));
  }
  if (!assumed.empty()) parts.push_back("assumed, not fitted: " + listed(assumed));
  return join(parts, "; ");
}

}  // namespace ringside
