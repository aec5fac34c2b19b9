#pragma once

#include <memory>
#include <vector>

#include "device/host/host_device.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// Arena that take_fastest() needs for a while.
Bytes trial_need(Bytes message);

// Which way is fastest is found on this machine with this message, not guessed: times the candidates in turns
// and returns the one whose slowest rank did best. The same choice on every rank. With one candidate nothing
// is timed. The arena is used for buffers and given back. Collective.
std::unique_ptr<PreparedCollective> take_fastest(HostDevice& device, const Case& params,
                                                 std::vector<std::unique_ptr<PreparedCollective>> candidates);

}  // namespace ringside
