#include "request_options.hpp"

#include "base/text.hpp"
#include "option_values.hpp"
#include "strategy/registry.hpp"
#include "strategy/strategy.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {

void declare_strategy(RequestOverrides& flags, OptionTable& options, std::string help) {
  options.repeatable("--strategy", "NAME", std::move(help), [&flags](const std::string& text) {
    append_parsed(flags.strategies, text, [](std::string_view name) { return std::string(name); });
  });
  std::vector<std::string> names = {"all"};
  for (const Strategy* strategy : all_strategies()) {
    if (strategy->name() != names.back()) names.emplace_back(strategy->name());  // of several devices: once
  }
  options.choices(std::move(names));
}

void declare_place(RequestOverrides& flags, OptionTable& options, PlaceHelp help) {
  options.value("--device", "KIND", std::move(help.device),
                [&flags](const std::string& text) { flags.device = parse_device_choice(text); });
  options.choices({"auto", "host", "cuda", "model"});
  options.value("--machine", "NAME|FILE", std::move(help.machine),
                [&flags](const std::string& text) { flags.machine = text; });
  options.choices(scenario_names("machines"));
  options.value("--ranks", "N", std::move(help.ranks), store_integer(flags.ranks, kRankLimits));
  options.repeatable("--mode", "NAME", std::move(help.mode),
                     [&flags](const std::string& text) { append_parsed(flags.modes, text, parse_mode); });
  options.choices({"eager", "graph"});
  declare_gpus(flags, options);
}

void declare_gpus(RequestOverrides& flags, OptionTable& options) {
  options.value("--gpus", "LIST",
                "The ranks' GPUs, by number or UUID, in the order of ranks: 0,2 [the first ones]",
                [&flags](const std::string& text) { flags.gpus = text; });
  options.value("--nccl-lib", "FILE",
                "The NCCL library [what python3 of this environment would load, else the system's]",
                [&flags](const std::string& text) { flags.nccl_library = text; });
}

void declare_budget(RequestOverrides& flags, OptionTable& options, std::string help) {
  options.value("--budget", "TIME", std::move(help), store_duration(flags.budget, kBudgetLimits_s));
}

void declare_timeout(RequestOverrides& flags, OptionTable& options) {
  options.value("--timeout", "TIME", "For a turn, one case in one round, before ranks count as hung [30s]",
                store_duration(flags.turn_timeout, kTimeoutLimits_s));
}

void declare_rounds(RequestOverrides& flags, OptionTable& options) {
  options.value("--rounds", "N", "Interleaved rounds of a size in a launch, at most [200]",
                store_integer(flags.max_rounds, kRoundLimits));
  options.value("--min-rounds", "N", "Rounds before a size may count as settled [10]",
                store_integer(flags.min_rounds, kRoundLimits));
  options.value("--ops-per-graph", "N", "Calls in a graph, and in an eager repetition at most [122]",
                store_integer(flags.ops_per_graph, kOpsLimits));
  options.value(
      "--input", "KIND",
      "What a timed call finds: warm (its input as the call before left it), fresh (host: its rank writes it "
      "before each call and reads the output behind it, which is taken off the time) or cold (cuda: in no "
      "cache) "
      "[host: fresh, cuda: warm]",
      [&flags](const std::string& text) { flags.input = parse_input(text); });
  options.choices({"warm", "fresh", "cold"});
  options.value(
      "--verify-calls", "N",
      "Calls in a row whose outputs are all checked [1098, or what fits into a tenth of a case's time]",
      store_integer(flags.verify_calls, kVerifyCallLimits));
}

void declare_limits(RequestOverrides& flags, OptionTable& options, LimitHelp help) {
  declare_budget(flags, options, std::move(help.budget));
  options.value("--launches", "N", std::move(help.launches), store_integer(flags.launches, kLaunchLimits));
  declare_timeout(flags, options);
  options.value("--seed", "N", "Seed of the order and the data [random; it is recorded]",
                store_integer(flags.seed, kSeedLimits));
}

}  // namespace ringside
