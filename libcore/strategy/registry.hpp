#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strategy/strategy.hpp"

namespace ringside {

// All strategies of this binary, sorted by family and then in the order in which their file registers them.
std::span<const Strategy* const> all_strategies();

// The strategies that `name` stands for: one by its full name, a family's members, or all of `device` for
// "all"; those that do this collective. Throws UsageError that names the nearest. Device model takes the
// GPUs' where the binary has them, else the host's; a described machine of CPU cores is asked about as host.
std::vector<const Strategy*> find_strategies(std::string_view name, DeviceKind device,
                                             Collective collective = Collective::allreduce);

// The one strategy of this name on the device, or null.
const Strategy* find_strategy(std::string_view name, DeviceKind device);

// A strategy file ends with `static const RegisterStrategy<Ring> registered;` : no edit elsewhere.
void register_strategy(const Strategy& strategy);

template <typename S>
class RegisterStrategy {
 public:
  RegisterStrategy() { register_strategy(strategy_); }

 private:
  S strategy_;
};

}  // namespace ringside
