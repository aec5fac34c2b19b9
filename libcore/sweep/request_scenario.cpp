#include "sweep/request_scenario.hpp"

#include "base/clock.hpp"
#include "scenario/toml_reader.hpp"
#include "sweep/request_limits.hpp"
#include "sweep/size_list.hpp"

namespace ringside {
namespace {

constexpr std::string_view kFolder = "sweeps";

template <typename T>
void assign(T& target, const std::optional<T>& source) {
  if (source) target = *source;
}

// A string such as "2K:16M:x2", or an array of sizes.
std::optional<std::vector<Bytes>> read_sizes(const TomlTable& root) {
  constexpr const char* key = "sizes";
  if (const auto text = root.find_text(key)) {
    return root.find_name(key, [](const std::string& sizes) { return parse_size_list(sizes); });
  }
  const auto sizes = root.find<std::vector<Bytes>>(key);
  if (!sizes) return std::nullopt;
  try {
    check_ascending(*sizes);
  } catch (const UsageError& problem) {
    throw root.error(key, problem.what());
  }
  return sizes;
}

}  // namespace

SweepScenario read_sweep_scenario(const ScenarioText& scenario) {
  const TomlDocument document(scenario);
  const TomlTable root = document.root();
  SweepScenario sweep;
  sweep.name = scenario.name;
  const auto title = root.find<std::string>("title");
  RequestOverrides& overrides = sweep.overrides;
  overrides.device = root.find_name("device", parse_device_choice);
  overrides.machine = root.find<std::string>("machine");
  overrides.ranks = root.find<int>("ranks", kRankLimits);
  overrides.strategies = root.find<std::vector<std::string>>("strategies");
  overrides.sizes = read_sizes(root);
  overrides.dtypes = root.find_names("dtypes", parse_dtype);
  overrides.modes = root.find_names("modes", parse_mode);
  overrides.collective = root.find_name("collective", parse_collective);
  overrides.load = root.find<std::vector<double>>("load", {0, 1e9});
  overrides.launches = root.find<int>("launches", kLaunchLimits);
  overrides.min_rounds = root.find<int>("min_rounds", kRoundLimits);
  overrides.max_rounds = root.find<int>("max_rounds", kRoundLimits);
  overrides.budget = root.find<Nanoseconds>("budget", kBudgetLimits_s);
  overrides.turn_timeout = root.find<Nanoseconds>("timeout", kTimeoutLimits_s);
  if (const auto seed = root.find<std::int64_t>("seed", kSeedLimits))
    overrides.seed = static_cast<std::uint64_t>(*seed);
  overrides.ops_per_graph = root.find<int>("ops_per_graph", kOpsLimits);
  overrides.verify_calls = root.find<int>("verify_calls", kVerifyCallLimits);
  overrides.input = root.find_name("input", parse_input);
  if (const auto skew = root.find<int>("skew_us", kSkewLimits_us))
    overrides.skew = std::chrono::microseconds(*skew);
  document.finish();
  sweep.title =
      title ? *title : root.get<std::string>("title");  // a misspelt key is told before a missing one
  return sweep;
}

std::vector<SweepScenario> list_sweep_scenarios() {
  std::vector<SweepScenario> scenarios;
  for (const ScenarioText& scenario : list_scenarios(kFolder))
    scenarios.push_back(read_sweep_scenario(scenario));
  return scenarios;
}

void apply(const RequestOverrides& overrides, SweepRequest& request) {
  CaseSet& set = request.first();
  assign(request.ranks, overrides.ranks);
  assign(set.strategies, overrides.strategies);
  assign(set.sizes, overrides.sizes);
  assign(set.dtypes, overrides.dtypes);
  assign(set.modes, overrides.modes);
  assign(set.collective, overrides.collective);
  assign(set.load, overrides.load);
  assign(request.launches, overrides.launches);
  assign(request.min_rounds, overrides.min_rounds);
  assign(request.max_rounds, overrides.max_rounds);
  assign(request.budget, overrides.budget);
  request.firm_budget = request.firm_budget || overrides.budget.has_value();
  assign(request.turn_timeout, overrides.turn_timeout);
  assign(request.seed, overrides.seed);
  assign(request.calls_per_sample, overrides.ops_per_graph);
  assign(request.verify_calls, overrides.verify_calls);
  assign(request.input, overrides.input);
  assign(request.skew, overrides.skew);
}

}  // namespace ringside
