#include "scenario/toml_reader.hpp"
#include "trace/core/log_reader.hpp"

namespace ringside {

std::vector<Milestone> load_milestones() {
  std::vector<Milestone> milestones;
  for (const ScenarioText& scenario : list_scenarios("milestones")) {
    const TomlDocument document(scenario);
    for (const TomlTable& table : document.root().tables("milestone"))
      milestones.push_back({table.get<std::string>("text"), table.get<std::string>("step"),
                            table.find<bool>("comes_up").value_or(false),
                            table.find<std::string>("after").value_or("")});
    document.finish();
  }
  return milestones;
}

}  // namespace ringside
