#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/catalogue.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// What a sweep scenario, or the flags of a command, say of a sweep. What they don't say is absent.
struct RequestOverrides {
  std::optional<std::string> device;   // a DeviceKind's name, or "auto"
  std::optional<std::string> machine;  // a machine profile, for the model device
  std::optional<int> ranks;
  std::optional<std::vector<std::string>> strategies;
  std::optional<std::vector<Bytes>> sizes;
  std::optional<std::vector<DType>> dtypes;
  std::optional<std::vector<Mode>> modes;
  std::optional<Collective> collective;
  std::optional<std::vector<double>> load;
  std::optional<int> launches;
  std::optional<int> min_rounds;
  std::optional<int> max_rounds;
  std::optional<std::chrono::nanoseconds> budget;
  std::optional<std::chrono::nanoseconds> turn_timeout;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> gpus;          // as choose_gpus() takes them
  std::optional<std::string> nccl_library;  // a path
  std::optional<int> ops_per_graph;
  std::optional<int> verify_calls;
  std::optional<InputState> input;
  std::optional<std::chrono::nanoseconds> skew;
};

// A scenario of scenarios/sweeps/ or a user's file (keys: see scenarios/sweeps/decode.toml).
struct SweepScenario {
  std::string name;
  std::string title;  // one line for people
  RequestOverrides overrides;
};

// Throws UsageError with the place.
SweepScenario read_sweep_scenario(const ScenarioText& scenario);
std::vector<SweepScenario> list_sweep_scenarios();

// Puts what they say into the request, all but device, machine, GPUs and NCCL, which need a look at this box.
// Later overrides win.
void apply(const RequestOverrides& overrides, SweepRequest& request);

}  // namespace ringside
