#include "spec_options.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "option_values.hpp"
#include "request_options.hpp"
#include "sweep/request_limits.hpp"

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

void declare_spec_options(SpecOptions& target, OptionTable& options) {
  options.argument(
      "SCENARIO",
      "A model, a layout and a speculation setting, by name (see `ringside list specs`) or as a TOML file "
      "[kimi-k2.5-eagle3; with --from-config: template]",
      [&target](const std::string& text) { target.scenario = text; });
  options.choices(scenario_names("specs"));
  options.group("What is asked");
  options.repeatable("--set", "PATH=VALUE", "Overrides anything in the scenario: speculation.draft_tokens=6",
                     [&target](const std::string& text) { target.sets.push_back(text); });
  options.value("--from-config", "FILE", "A Hugging Face config.json in place of the scenario's model.",
                [&target](const std::string& text) { target.config = text; });
  options.repeatable(
      "--from-log", "FILE",
      "A log of an SGLang or vLLM server: acceptance and throughput in place of the scenario's.",
      [&target](const std::string& text) { target.logs.push_back(text); });
  declare_strategy(target.flags, options, "As of probe-comm; all-to-all strategies too [all]");
  options.group("Where it runs");
  declare_place(
      target.flags, options,
      {.device = "auto, cuda or host (the communication is replayed there), or model (a described machine) "
                 "[auto: cuda with two GPUs, else model]",
       .machine = "The machine behind what is modelled; see `ringside list machines` [the scenario's]",
       .ranks = "Ranks of a replay [as of probe-comm]",
       .mode = "eager or graph [cuda: both; model: graph]"});
  options.group("How it is replayed");
  options.value("--compute", "US", "Idle time of each layer between its collectives, in microseconds [none]",
                [&target](const std::string& text) { target.compute_us = parse_microseconds(text); });
  options.value("--skew", "US", "How much later the last rank comes to each call, in microseconds [none]",
                [&target](const std::string& text) { target.skew_us = parse_microseconds(text); });
  declare_limits(target.flags, options,
                 {.budget = fmt::format("For the measurement: 45, 45s, 2m [{}s]", kReplayBudget.count()),
                  .launches = "Groups of fresh processes [3]"});
}

}  // namespace ringside
