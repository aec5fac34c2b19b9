#pragma once

#include <optional>
#include <string>

#include "device/rank_device.hpp"
#include "model/case.hpp"

namespace ringside {

// The least time of a call that the link allows, whatever the strategy and the mode.
struct Floor {
  double time_ns = 0;
  double uncertainty_ns = 0;  // below time_ns - uncertainty_ns no call can be
};

// One-way latency + wire_share(params) x bytes / bandwidth; on GPUs the share is 1 at most, as a switch may
// add on the way. The gap between the nodes of a graph is no part of it. Null where latency or bandwidth is,
// where their measurement scattered by more than half, and on the host for inputs that are not fresh: its
// limits are of fresh data. The uncertainty is the larger of the limits' own scatter and of what an
// independent program may differ by (`scripts/accept fair floor`): 10 % on cuda, 20 % on host.
std::optional<Floor> floor_of(const Case& params, InputState input, const LinkLimits& limits);

// Why floor_of() gave none, as the end of a sentence.
std::string why_no_floor(const LinkLimits& limits);

// Whether a time of the case can't be right.
bool below(double time_ns, const Floor& floor);

}  // namespace ringside
