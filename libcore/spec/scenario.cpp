#include "spec/scenario.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/errors.hpp"
#include "machine/profile_catalogue.hpp"
#include "spec/model_table.hpp"
#include "spec/overrides.hpp"

namespace ringside {
namespace {

constexpr std::string_view kFolder = "specs";
constexpr Range kCount{1, 1e6};
constexpr Range kNone{0, 1e6};
constexpr Range kTime_ms{0, 1e6};
constexpr Range kRate{0, 1};
constexpr Range kTokens{1e-6, 1e9};
constexpr Range kGib{0, 1e6};

ParallelLayout read_parallel(const TomlTable& table) {
  ParallelLayout layout;
  layout.tp = table.get<int>("tp", {1, 1024});
  layout.ep = table.find<int>("ep", {1, 1024}).value_or(layout.tp);
  layout.experts = table.find<bool>("experts").value_or(false);
  layout.alltoall = table.find<bool>("alltoall").value_or(false);
  layout.dp_attention = table.find<bool>("dp_attention").value_or(false);
  return layout;
}

SpeculationShape read_speculation(const TomlTable& table) {
  SpeculationShape shape;
  shape.algorithm = table.get<std::string>("algorithm");
  shape.steps = table.get<int>("steps", {1, 64});
  shape.top_k = table.find<int>("top_k", {1, 64}).value_or(1);
  shape.draft_tokens = table.find<int>("draft_tokens", {1, 4096}).value_or(shape.steps + 1);
  if (shape.draft_tokens == 1)
    throw table.error("draft_tokens",
                      "'draft_tokens' of 1 is no speculation: the root alone; give 2 or more");
  shape.batch = table.find<int>("batch", kCount).value_or(1);
  shape.draft_layers = table.find<int>("draft_layers", {0, 1000}).value_or(1);
  shape.draft_allreduces = table.find<int>("draft_allreduces", kNone).value_or(2 * shape.draft_layers);
  return shape;
}

// Where overrides give one of them, the document's other ones give way.
void keep_overridden(const std::vector<std::string>& overrides, AcceptanceInput& input) {
  const bool length = is_set(overrides, "acceptance.length");
  const bool rate = is_set(overrides, "acceptance.rate");
  const bool rates = is_set(overrides, "acceptance.rates");
  if (!length && !rate && !rates) return;
  if (!length) input.length.reset();
  if (!rate) input.rate.reset();
  if (!rates) input.rates.clear();
}

constexpr double kMostLength = 1e6;  // for one that something else takes the place of

AcceptanceInput read_acceptance(const TomlTable& table, int levels,
                                const std::vector<std::string>& overrides) {
  AcceptanceInput input;
  input.length = find_quantity(table, "length", {1, kMostLength});
  input.rate = find_quantity(table, "rate", kRate);
  input.rates = table.find<std::vector<double>>("rates", kRate).value_or(std::vector<double>{});
  if (input.rates.empty() && table.find<std::vector<double>>("rates"))
    throw table.error("rates", "a list of acceptance rates needs one at least");
  input.rates_origin = table.find_name("origin", parse_origin).value_or(Origin::assumed);
  keep_overridden(overrides, input);
  if (input.length) input.length = find_quantity(table, "length", {1, levels + 1.0});
  const int given = (input.length ? 1 : 0) + (input.rate ? 1 : 0) + (input.rates.empty() ? 0 : 1);
  if (given > 1) throw table.error("length", "acceptance is one of length, rate and rates, not several");
  for (std::size_t i = 1; i < input.rates.size(); ++i) {
    if (input.rates[i] > input.rates[i - 1])
      throw table.element_error("rates", i, "acceptance rates by position never rise");
  }
  return input;
}

ExpertTraffic read_traffic(const TomlTable& table, int ep) {
  ExpertTraffic traffic;
  const auto fp8 = table.find_name("dispatch", [](const std::string& text) {
    if (text == "fp8" || text == "bf16") return text == "fp8";
    throw UsageError(fmt::format("unknown dispatch '{}'; valid: bf16, fp8", text));
  });
  traffic.fp8_dispatch = fp8.value_or(false);
  traffic.load = table.find<std::vector<double>>("load", {0, 1e9}).value_or(std::vector<double>{});
  double total = 0;
  for (const double share : traffic.load) total += share;
  if (!traffic.load.empty() && (static_cast<int>(traffic.load.size()) != ep || total <= 0)) {
    throw table.error(
        "load", fmt::format("a load has one share for each of the {} expert-parallel ranks, and not all "
                            "are 0",
                            ep));
  }
  return traffic;
}

Observed read_observed(const TomlTable& table) {
  Observed observed;
  observed.plain_tokens_s = find_quantity(table, "plain_tokens_s", kTokens);
  observed.spec_tokens_s = find_quantity(table, "spec_tokens_s", kTokens);
  observed.verify_communication_ms = find_quantity(table, "verify_communication_ms", kTime_ms);
  observed.free_tp_gib = find_quantity(table, "free_tp_gib", kGib);
  observed.free_ep_gib = find_quantity(table, "free_ep_gib", kGib);
  for (const TomlTable& other : table.tables("others")) {
    const auto tokens = find_quantity(other, "tokens_s", kTokens);
    if (!tokens) throw other.error("tokens_s", "'tokens_s' is missing in [[observed.others]]");
    observed.others.push_back({other.get<std::string>("name"), *tokens});
  }
  return observed;
}

std::string known_machine(const std::string& name) {
  find_machine_profile(name);
  return name;
}

std::vector<std::string> without_model(std::vector<std::string> overrides) {
  std::erase_if(overrides, [](const std::string& one) { return is_set({one}, "model"); });
  return overrides;
}

// What overrides say of the model wins over where it came from.
ModelShape override_model(const ModelShape& model, std::vector<std::string> overrides) {
  std::erase_if(overrides, [](const std::string& one) { return !is_set({one}, "model"); });
  const TomlDocument document({.name = model.name, .origin = model.source, .text = model_toml(model)},
                              overrides);
  ModelShape overridden = read_model(document.root().table("model"));
  document.finish();
  return overridden;
}

}  // namespace

Bytes message_bytes(const ModelShape& model, std::int64_t tokens) {
  constexpr double kMost = 1099511627776.0;
  const double bytes =
      static_cast<double>(tokens) * model.hidden * static_cast<double>(element_size(model.dtype));
  if (bytes > kMost) {
    throw UsageError(
        fmt::format("{} tokens of {} {} numbers are a message of {:.3g} bytes, more than can be sent", tokens,
                    model.hidden, to_string(model.dtype), bytes));
  }
  return {static_cast<std::uint64_t>(bytes)};
}

SpecScenario read_spec_scenario(const ScenarioText& text, const std::vector<std::string>& overrides,
                                const std::optional<ModelShape>& model) {
  const TomlDocument document(text, model ? without_model(overrides) : overrides);
  const TomlTable root = document.root();
  SpecScenario scenario;
  scenario.name = text.name;
  scenario.title = root.get<std::string>("title");
  scenario.machine = root.find_name("machine", known_machine).value_or("");
  scenario.model = read_model(root.table("model"));
  if (model) scenario.model = override_model(*model, overrides);
  scenario.parallel = read_parallel(root.table("parallel"));
  const bool asked = root.table("parallel").find<int>("ep").has_value();
  if (!asked && scenario.model.experts % scenario.parallel.ep != 0)
    scenario.parallel.ep = 1;  // none to compare
  scenario.speculation = read_speculation(root.table("speculation"));
  scenario.context = root.table("speculation").find<double>("context", {1, 1e8}).value_or(scenario.context);
  if (const auto table = root.find_table("acceptance"))
    scenario.acceptance = read_acceptance(*table, scenario.speculation.steps, overrides);
  if (const auto table = root.find_table("experts"))
    scenario.traffic = read_traffic(*table, scenario.parallel.ep);
  if (const auto table = root.find_table("memory")) {
    scenario.memory = {find_quantity(*table, "fraction", {0.01, 1}),
                       find_quantity(*table, "context_gib", kGib),
                       find_quantity(*table, "workspace_gib", kGib)};
  }
  if (const auto table = root.find_table("observed")) scenario.observed = read_observed(*table);
  document.finish();
  check_spec_scenario(scenario);
  return scenario;
}

ScenarioText find_spec_text(const std::string& name_or_file) {
  return find_scenario(kFolder, name_or_file);
}

SpecScenario find_spec_scenario(const std::string& name_or_file, const std::vector<std::string>& overrides,
                                const std::optional<ModelShape>& model) {
  return read_spec_scenario(find_spec_text(name_or_file), overrides, model);
}

std::vector<SpecScenario> list_spec_scenarios() {
  std::vector<SpecScenario> scenarios;
  for (const ScenarioText& text : list_scenarios(kFolder)) scenarios.push_back(read_spec_scenario(text));
  return scenarios;
}

void check_spec_scenario(const SpecScenario& scenario) {
  const ModelShape& model = scenario.model;
  const SpeculationShape& shape = scenario.speculation;
  if (scenario.parallel.tp % scenario.parallel.ep != 0) {
    throw UsageError(
        fmt::format("{}: expert parallelism is over the {} ranks of parallel.tp, which don't divide by a "
                    "parallel.ep of {}",
                    scenario.name, scenario.parallel.tp, scenario.parallel.ep));
  }
  if (model.experts > 0 && model.experts % scenario.parallel.ep != 0) {
    throw UsageError(fmt::format("{}: {} experts don't divide by an expert parallelism (parallel.ep) of {}",
                                 scenario.name, model.experts, scenario.parallel.ep));
  }
  double most = 1;  // tokens of a tree with so many levels
  double level = 1;
  for (int step = 0; step < shape.steps && most < shape.draft_tokens; ++step) most += level *= shape.top_k;
  if (shape.draft_tokens > most) {
    throw UsageError(fmt::format(
        "{}: speculation.steps of {} and a top_k of {} draft at most {:.0f} tokens, the root among "
        "them, not {} (speculation.draft_tokens)",
        scenario.name, shape.steps, shape.top_k, most, shape.draft_tokens));
  }
  message_bytes(model, std::int64_t{shape.batch} * shape.draft_tokens * std::max(model.top_k, 1));
}

}  // namespace ringside
