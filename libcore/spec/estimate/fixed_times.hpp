#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenario/catalogue.hpp"
#include "spec/estimate/workload.hpp"

namespace ringside {

// A quantity that a factor is uncertain: `factor` is one sigma of its logarithm.
struct LogPrior {
  double median = 1;
  double factor = 1.5;
};

// What a step takes beside kernels and collectives (scenarios/compute/fixed-times.toml).
struct FixedTimes {
  LogPrior host_ms;
  LogPrior simple_us;  // of a layer
  LogPrior complex_us;
  LogPrior verify_ms;
  LogPrior draft_ms;
  LogPrior row_ms;
  LogPrior sequence_ms;  // of each sequence, with speculation or without
  LogPrior repeat;
  LogPrior slow_step_ms;
  LogPrior slow_draft_ms;
  double cpu_factor = 1.4;
  double draft_layer_factor = 1.5;
  double compute_factor = 1.5;
  double collectives_tie = 1.25;
};

// Of this server's age; of an unknown one 2025 H2, with wider factors. `one_gpu_draft`: a dense draft on one
// GPU; `complex`: most layers have experts, latent or linear attention. `without_gpu`: as the rows of the
// other types of GPU alone give it, for scores; empty: all rows.
FixedTimes fixed_times(const ServerSoftware& server, bool one_gpu_draft, bool complex,
                       const std::string& without_gpu = "");

// Throws UsageError with the place for a text that is none.
FixedTimes read_fixed_times(const ScenarioText& text, const ServerSoftware& server, bool one_gpu_draft,
                            bool complex, const std::string& without_gpu);

}  // namespace ringside
