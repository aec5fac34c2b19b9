#pragma once

#include <optional>
#include <vector>

#include "machine/gpu_state.hpp"
#include "model/row.hpp"

namespace ringside {

// Widens `record` to take in `more`.
void add_clocks(ClockRecord& record, const ClockRecord& more);

// The same with what the GPUs do at this moment; the first one begins the record.
void add_clocks(std::optional<ClockRecord>& record, const std::vector<GpuState>& gpus);

}  // namespace ringside
