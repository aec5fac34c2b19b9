#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/host/host_device.hpp"
#include "strategy/strategy.hpp"

namespace ringside {

// A way to do a case, made ready; its name is what StrategyChoice::ran says of it.
struct TrialCandidate {
  std::string name;
  std::unique_ptr<PreparedCollective> collective;
};

// What take_fastest() takes of the arena for a while, with so many candidates.
void allocate_trial(Arena& arena, const Case& params, std::size_t candidates);

// Which way is fastest is found on this machine with this message, not guessed: times the candidates in turns
// and returns the one whose slowest rank did best, with its choice() set. The same choice on every rank. With
// one candidate nothing is timed: the size has chosen. The arena is used for buffers and given back.
// Collective.
std::unique_ptr<PreparedCollective> take_fastest(HostDevice& device, const Case& params,
                                                 std::vector<TrialCandidate> candidates);

}  // namespace ringside
