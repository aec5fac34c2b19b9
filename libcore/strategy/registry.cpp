#include "strategy/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// Made at the first registration, whatever the order in which the files' statics come to life.
std::vector<const Strategy*>& registered() {
  static std::vector<const Strategy*> strategies;
  return strategies;
}

// A described machine is computed with the strategies that need no library.
DeviceKind offered_by(DeviceKind device) {
  return device == DeviceKind::model ? DeviceKind::host : device;
}

std::vector<std::string> names_on(DeviceKind device) {
  std::vector<std::string> names = {"all"};
  for (const Strategy* strategy : registered()) {
    if (strategy->device() != device) continue;
    for (const std::string_view name : {strategy->family(), strategy->name()}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
  }
  return names;
}

[[noreturn]] void refuse(std::string_view name, DeviceKind device) {
  for (const Strategy* other : registered()) {
    if (other->device() != device && (other->name() == name || other->family() == name)) {
      throw UsageError(fmt::format("strategy '{}' is for device {}, not {}", name, to_string(other->device()),
                                   to_string(device)));
    }
  }
  const std::vector<std::string> names = names_on(device);
  throw UsageError(fmt::format("unknown strategy '{}'{}; valid on {}: {}", name, did_you_mean(name, names),
                               to_string(device), join(names, ", ")));
}

}  // namespace

std::span<const Strategy* const> all_strategies() {
  return registered();
}

std::vector<const Strategy*> find_strategies(std::string_view name, DeviceKind device) {
  device = offered_by(device);
  if (const Strategy* const one = find_strategy(name, device)) return {one};
  std::vector<const Strategy*> found;
  for (const Strategy* strategy : registered()) {
    if (strategy->device() == device && (name == "all" || strategy->family() == name)) {
      found.push_back(strategy);
    }
  }
  if (found.empty()) refuse(name, device);
  return found;
}

const Strategy* find_strategy(std::string_view name, DeviceKind device) {
  device = offered_by(device);
  for (const Strategy* strategy : registered()) {
    if (strategy->device() == device && strategy->name() == name) return strategy;
  }
  return nullptr;
}

void register_strategy(const Strategy& strategy) {
  std::vector<const Strategy*>& strategies = registered();
  const auto place =
      std::upper_bound(strategies.begin(), strategies.end(), &strategy,
                       [](const Strategy* a, const Strategy* b) { return a->family() < b->family(); });
  strategies.insert(place, &strategy);
}

}  // namespace ringside
