#include "sweep/clock_record.hpp"

#include <algorithm>

namespace ringside {

void add_clocks(ClockRecord& record, const ClockRecord& more) {
  record.sm_mhz_min = std::min(record.sm_mhz_min, more.sm_mhz_min);
  record.sm_mhz_max = std::max(record.sm_mhz_max, more.sm_mhz_max);
  for (const std::string& reason : more.held_by) {
    if (std::find(record.held_by.begin(), record.held_by.end(), reason) == record.held_by.end()) {
      record.held_by.push_back(reason);
    }
  }
}

void add_clocks(std::optional<ClockRecord>& record, const std::vector<GpuState>& gpus) {
  for (const GpuState& state : gpus) {
    if (!record) record = ClockRecord{state.sm_mhz, state.sm_mhz, {}};
    add_clocks(*record, {state.sm_mhz, state.sm_mhz, clock_reason_names(state.clock_reasons)});
  }
}

}  // namespace ringside
