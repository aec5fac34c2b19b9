#pragma once

#include <memory>
#include <vector>

#include "device/rank_device.hpp"

namespace ringside {

// This rank's device of the given kind; collective. `cores`: host only, the core each rank is pinned to
// (empty: none). `exchange` must outlive it. Throws EnvironmentError when the device can't be had.
std::unique_ptr<RankDevice> make_device(DeviceKind kind, Exchange& exchange, Bytes arena,
                                        const std::vector<int>& cores);

}  // namespace ringside
