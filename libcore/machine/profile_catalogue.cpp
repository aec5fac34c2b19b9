#include "machine/profile_catalogue.hpp"

#include "scenario/toml_reader.hpp"

namespace ringside {
namespace {

constexpr std::string_view kFolder = "machines";

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
  const TomlTable link = root.table("link");
  machine.link = link.get<std::string>("name");
  machine.one_way_latency_ns = link.get<double>("one_way_latency_ns", time);
  machine.bandwidth_gbps = link.get<double>("bandwidth_gbps", rate);

  const TomlTable overhead = root.table("overhead");
  machine.call_overhead_ns = overhead.get<double>("call_ns", time);
  machine.step_overhead_ns = overhead.get<double>("step_ns", time);

  machine.local_bandwidth_gbps = root.table("memory").get<double>("local_bandwidth_gbps", rate);
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
