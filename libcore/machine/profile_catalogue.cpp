#include "machine/profile_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

constexpr std::string_view kFolder = "machines";
// What servers run on today; "cpu": ranks are processes.
constexpr std::array kArchitectures = {"cpu",  "sm70",  "sm75",  "sm80",  "sm86", "sm89",
                                       "sm90", "sm100", "sm103", "sm120", "sm121"};

// "sm120" -> 120
int parse_architecture(const std::string& text) {
  const std::vector<std::string> names(kArchitectures.begin(), kArchitectures.end());
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    throw UsageError(fmt::format("unknown architecture '{}'{}; valid: {}", text, did_you_mean(text, names),
                                 join(names, ", ")));
  }
  return text == "cpu" ? 0 : std::stoi(text.substr(2));
}

// A fit without alpha and beta is one of the machine's figures: the strategy's own estimate has them.
std::optional<FittedCost> read_cost(const TomlTable& table) {
  constexpr Range any{0, 1e12};
  FittedCost fit;
  fit.strategy = table.get<std::string>("strategy");
  fit.collective = table.find_name("collective", parse_collective).value_or(Collective::allreduce);
  fit.mode = table.find_name("mode", parse_mode).value_or(Mode::graph);
  fit.ranks = table.get<int>("ranks", {2, 1024});
  fit.gamma_ns_per_root = table.find<double>("gamma_ns_per_root", any).value_or(0);
  const auto alpha = table.find<double>("alpha_ns", any);
  const auto beta = table.find<double>("beta_ns_per_byte", any);
  if (!alpha && !beta) return std::nullopt;
  fit.alpha_ns = alpha ? *alpha : table.get<double>("alpha_ns", any);
  fit.beta_ns_per_byte = beta ? *beta : table.get<double>("beta_ns_per_byte", any);
  return fit;
}

std::optional<FitError> read_error(const TomlTable& table, const std::optional<std::string>& fitted_to) {
  constexpr Range relative{0, 1e6};
  const auto median = table.find<double>("off_median", relative);
  const auto worst = table.find<double>("off_worst", relative);
  const auto sizes = table.find<int>("sizes", {1, 1e6});
  const auto to = table.find<std::string>("to");
  if (!median && !worst) return std::nullopt;
  FitError error;
  error.strategy = table.get<std::string>("strategy");
  error.mode = table.find_name("mode", parse_mode).value_or(Mode::graph);
  error.ranks = table.get<int>("ranks", {2, 1024});
  error.sizes = sizes ? *sizes : table.get<int>("sizes");
  error.median = median ? *median : table.get<double>("off_median");
  error.worst = worst ? *worst : table.get<double>("off_worst");
  error.to = to ? *to : fitted_to ? *fitted_to : table.get<std::string>("to");
  return error;
}

void read_fits(const TomlTable& root, MachineProfile& machine) {
  const auto fitted_to = root.find<std::string>("fitted_to");
  for (const TomlTable& table : root.tables("fit")) {
    if (auto cost = read_cost(table)) machine.fitted.push_back(std::move(*cost));
    if (auto error = read_error(table, fitted_to)) machine.fit_errors.push_back(std::move(*error));
  }
}

}  // namespace

MachineProfile read_machine_profile(const ScenarioText& scenario, const std::vector<std::string>& overrides) {
  const TomlDocument document(scenario, overrides);
  const TomlTable root = document.root();
  MachineProfile machine;
  machine.name = scenario.name;
  machine.title = root.get<std::string>("title");
  machine.ranks = root.get<int>("ranks", {2, 1024});
  machine.origin = root.find_name("origin", parse_origin).value_or(Origin::assumed);
  machine.source = root.get<std::string>("source");

  // Below a nanosecond and above a second, or beyond any link, it is a slip of the unit.
  constexpr Range time{0, 1e9};
  constexpr Range rate{0.001, 1e6};
  machine.compute_capability = root.find_name("architecture", parse_architecture).value_or(90);
  machine.gpu = root.find<std::string>("gpu").value_or("");
  const TomlTable link = root.table("link");
  machine.link = link.get<std::string>("name");
  machine.one_way_latency_ns = link.get<double>("one_way_latency_ns", time);
  machine.bandwidth_gbps = link.get<double>("bandwidth_gbps", rate);
  machine.alone_gbps = link.find<double>("alone_gbps", rate).value_or(machine.bandwidth_gbps);
  machine.peer_access = link.find_name("peer_access", parse_peer_access);

  const TomlTable overhead = root.table("overhead");
  machine.call_overhead_ns = overhead.get<double>("call_ns", time);
  machine.step_overhead_ns = overhead.get<double>("step_ns", time);
  machine.nccl_step_ns = overhead.find<double>("nccl_step_ns", time).value_or(machine.step_overhead_ns);
  machine.launch_ns = overhead.find<double>("launch_ns", time).value_or(machine.call_overhead_ns);

  if (const auto memory = root.find_table("memory")) {
    machine.local_bandwidth_gbps = memory->find<double>("local_bandwidth_gbps", rate).value_or(0);
    machine.read_gbps = memory->find<double>("read_gbps", rate).value_or(machine.local_bandwidth_gbps);
    machine.memory_gib = memory->find<double>("gib", {0.001, 1e6}).value_or(0);
  }
  read_fits(root, machine);
  document.finish();
  return machine;
}

MachineProfile find_machine_profile(const std::string& name_or_file,
                                    const std::vector<std::string>& overrides) {
  return read_machine_profile(find_scenario(kFolder, name_or_file), overrides);
}

std::vector<MachineProfile> list_machine_profiles() {
  std::vector<MachineProfile> machines;
  for (const ScenarioText& scenario : list_scenarios(kFolder))
    machines.push_back(read_machine_profile(scenario));
  return machines;
}

}  // namespace ringside
