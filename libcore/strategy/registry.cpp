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

// A described machine is one of GPUs, where this binary has strategies for them.
DeviceKind offered_by(DeviceKind device) {
  if (device != DeviceKind::model) return device;
  const bool gpus = std::ranges::any_of(
      registered(), [](const Strategy* strategy) { return strategy->device() == DeviceKind::cuda; });
  return gpus ? DeviceKind::cuda : DeviceKind::host;
}

std::vector<std::string> names_on(DeviceKind device, Collective collective) {
  std::vector<std::string> names = {"all"};
  for (const Strategy* strategy : registered()) {
    if (strategy->device() != device || strategy->collective() != collective) continue;
    for (const std::string_view name : {strategy->family(), strategy->name()}) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
  }
  return names;
}

[[noreturn]] void refuse(std::string_view name, DeviceKind device, Collective collective) {
  for (const Strategy* other : registered()) {
    if (other->device() != device || other->collective() == collective) continue;
    if (other->name() == name || other->family() == name) {
      throw UsageError(fmt::format("strategy '{}' is for collective {}, not {}", name,
                                   to_string(other->collective()), to_string(collective)));
    }
  }
  for (const Strategy* other : registered()) {
    if (other->device() != device && (other->name() == name || other->family() == name)) {
      throw UsageError(fmt::format("strategy '{}' is for device {}, not {}", name, to_string(other->device()),
                                   to_string(device)));
    }
  }
  const std::vector<std::string> names = names_on(device, collective);
  throw UsageError(fmt::format("unknown strategy '{}'{}; valid on {}: {}", name, did_you_mean(name, names),
                               to_string(device), join(names, ", ")));
}

}  // namespace

std::span<const Strategy* const> all_strategies() {
  return registered();
}

std::vector<const Strategy*> find_strategies(std::string_view name, DeviceKind device,
                                             Collective collective) {
  device = offered_by(device);
  const Strategy* const one = find_strategy(name, device);
  if (one != nullptr && one->collective() == collective) return {one};
  std::vector<const Strategy*> found;
  for (const Strategy* strategy : registered()) {
    if (strategy->collective() != collective) continue;
    if (strategy->device() == device && (name == "all" || strategy->family() == name)) {
      found.push_back(strategy);
    }
  }
  if (found.empty()) refuse(name, device, collective);
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
