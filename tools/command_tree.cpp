#include "command_tree.hpp"

#include <utility>

namespace ringside {

std::vector<std::unique_ptr<Subcommand>> make_subcommands() {
  std::vector<std::unique_ptr<Subcommand>> subcommands;
  subcommands.push_back(make_probe_comm());
  subcommands.push_back(make_trace_init());
  subcommands.push_back(make_run_spec());
  subcommands.push_back(make_doctor());
  subcommands.push_back(make_compare());
  subcommands.push_back(make_report());
  subcommands.push_back(make_list());
  subcommands.push_back(make_completion());
  return subcommands;
}

std::vector<DeclaredCommand> declared_commands() {
  std::vector<DeclaredCommand> commands;
  for (auto& subcommand : make_subcommands()) {
    OptionTable options;
    subcommand->declare(options);
    commands.push_back({std::move(subcommand), std::move(options)});
  }
  return commands;
}

}  // namespace ringside
