#pragma once

#include <string>

#include "options.hpp"
#include "sweep/request_scenario.hpp"

namespace ringside {

// The options that every subcommand with ranks has; `flags` must outlive the parsing, `help` says what is
// particular to the subcommand.

void declare_strategy(RequestOverrides& flags, OptionTable& options, std::string help);

// --device, --machine, --ranks, --mode, --gpus, --nccl-lib
struct PlaceHelp {
  std::string device;
  std::string machine;
  std::string ranks;
  std::string mode;
};
void declare_place(RequestOverrides& flags, OptionTable& options, PlaceHelp help);

// --gpus, --nccl-lib
void declare_gpus(RequestOverrides& flags, OptionTable& options);

// --budget
void declare_budget(RequestOverrides& flags, OptionTable& options, std::string help);

// --timeout
void declare_timeout(RequestOverrides& flags, OptionTable& options);

// --rounds, --min-rounds, --ops-per-graph, --input
void declare_rounds(RequestOverrides& flags, OptionTable& options);

// --budget, --launches, --timeout, --seed
struct LimitHelp {
  std::string budget;
  std::string launches;
};
void declare_limits(RequestOverrides& flags, OptionTable& options, LimitHelp help);

}  // namespace ringside
