#include "spec_options.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "measure/request_limits.hpp"
#include "option_values.hpp"

namespace ringside {
namespace {

double parse_microseconds(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 0 && value <= 1e6))
    throw UsageError("expected microseconds from 0 to 1000000, not '" + text + "'");
  return value;
}

}  // namespace

void SpecOptions::declare(OptionTable& options) {
  options.argument(
      "SCENARIO",
      "A model, a layout and a speculation setting, by name (see `ringside list specs`) or as a TOML file "
      "[kimi-k2.5-eagle3; with --from-config: template]",
      [this](const std::string& text) {
        scenario = text;
        scenario_given = true;
      });
  options.group("What is asked");
  options.repeatable("--set", "PATH=VALUE", "Overrides anything in the scenario: speculation.draft_tokens=6",
                     [this](const std::string& text) { sets.push_back(text); });
  options.value("--from-config", "FILE", "A Hugging Face config.json in place of the scenario's model.",
                [this](const std::string& text) { config = text; });
  options.repeatable(
      "--from-log", "FILE",
      "A log of an SGLang or vLLM server: acceptance and throughput in place of the scenario's.",
      [this](const std::string& text) { logs.push_back(text); });
  options.repeatable("--strategy", "NAME", "As of probe-comm; all-to-all strategies too [all]",
                     [this](const std::string& text) {
                       append_parsed(flags.strategies, text,
                                     [](std::string_view name) { return std::string(name); });
                     });
  options.group("Where it runs");
  options.value(
      "--device", "KIND",
      "auto, cuda or host (the communication is replayed there), or model (a described machine) [auto: cuda "
      "with two GPUs, else model]",
      [this](const std::string& text) { flags.device = parse_device_choice(text); });
  options.value("--machine", "NAME|FILE",
                "The machine behind what is modelled; see `ringside list machines` [the scenario's]",
                [this](const std::string& text) { flags.machine = text; });
  options.value("--ranks", "N", "Ranks of a replay [as of probe-comm]",
                store_integer(flags.ranks, kRankLimits));
  options.repeatable("--mode", "NAME", "eager or graph [cuda: both; model: graph]",
                     [this](const std::string& text) { append_parsed(flags.modes, text, parse_mode); });
  options.value("--gpus", "LIST", "As of probe-comm", [this](const std::string& text) { flags.gpus = text; });
  options.value("--nccl-lib", "FILE", "As of probe-comm",
                [this](const std::string& text) { flags.nccl_library = text; });
  options.group("How it is replayed");
  options.value("--compute", "US", "Idle time of each layer between its collectives, in microseconds [none]",
                [this](const std::string& text) { compute_us = parse_microseconds(text); });
  options.value("--skew", "US", "How much later the last rank comes to each call, in microseconds [none]",
                [this](const std::string& text) { skew_us = parse_microseconds(text); });
  options.value("--budget", "TIME",
                fmt::format("For the measurement: 45, 45s, 2m [{}s]", kReplayBudget.count()),
                store_duration(flags.budget, kBudgetLimits_s));
  options.value("--launches", "N", "Groups of fresh processes [3]",
                store_integer(flags.launches, kLaunchLimits));
  options.value("--timeout", "TIME", "For a turn, before ranks count as hung [30s]",
                store_duration(flags.turn_timeout, kTimeoutLimits_s));
  options.value("--seed", "N", "Seed of the order and the data [random; it is recorded]",
                store_integer(flags.seed, kSeedLimits));
  common.declare_outputs(options);
  common.declare_display(options);
}

void SpecOptions::check() const {
  common.check();
  if (skew_us && !compute_us)
    throw UsageError("--skew needs --compute: a rank comes late because it computes longer");
}

}  // namespace ringside
