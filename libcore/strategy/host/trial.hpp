#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/host/host_device.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// Arena that take_fastest() needs for a while.
Bytes trial_need(Bytes message);

// A way to do a case, made ready; its name is what StrategyChoice::ran says of it.
struct TrialCandidate {
  std::string name;
  std::unique_ptr<PreparedCollective> collective;
};

// Which way is fastest is found on this machine with this message, not guessed: times the candidates in turns
// and returns the one whose slowest rank did best, with its choice() set. The same choice on every rank. With
// one candidate nothing is timed: the size has chosen. The arena is used for buffers and given back.
// Collective.
std::unique_ptr<PreparedCollective> take_fastest(HostDevice& device, const Case& params,
                                                 std::vector<TrialCandidate> candidates);

}  // namespace ringside
