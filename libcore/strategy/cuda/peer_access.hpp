#pragma once

#include <optional>

#include "strategy/strategy.hpp"

namespace ringside {

// Why a case can't run with kernels of ours that reach into every peer's memory; nothing when it can.
std::optional<Finding> refuse_peer_kernel(const Case& params, const AdmissionContext& context, int max_ranks);

// Why a case can't run with programmatic dependent launch; nothing when it can.
std::optional<Finding> refuse_dependent_launch(const Case& params, const AdmissionContext& context);

}  // namespace ringside
