#include "trace/core/pipeline_toml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "trace/sglang/call_graph.hpp"

namespace ringside {

namespace {

struct EffectKey {
  std::string_view key;
  EffectKind kind;
};

constexpr std::array<EffectKey, 9> kEffects = {{{"set", EffectKind::set},
                                                {"check", EffectKind::check},
                                                {"throw", EffectKind::raise},
                                                {"call", EffectKind::call},
                                                {"forward", EffectKind::forward},
                                                {"leave", EffectKind::leave},
                                                {"warn", EffectKind::warn},
                                                {"milestone", EffectKind::milestone},
                                                {"memory", EffectKind::memory}}};

Condition parsed(std::string_view text) {
  return Condition(text);
}

Condition read_condition(const TomlTable& table, std::string_view key) {
  return table.find_name(key, parsed).value_or(Condition());
}

// A literal in the condition language, such as "None" or "[1, 2]".
Value parse_literal(std::string_view text) {
  return Condition(text).value([](const std::string& name) -> Value { return Unknown{name}; });
}

Worker parse_worker(std::string_view text) {
  for (const Worker worker : {Worker::main, Worker::target, Worker::draft})
    if (to_string(worker) == text) return worker;
  throw UsageError(fmt::format("a worker is main, target or draft, not '{}'", text));
}

Place parse_place(std::string_view text) {
  Place place;
  const std::size_t colon = text.rfind(':');
  const std::string_view number = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), place.line);
  if (number.empty() || parsed.ec != std::errc() || parsed.ptr != number.data() + number.size() ||
      place.line < 0)
    throw UsageError(fmt::format("a place is 'file:line', not '{}'", text));
  place.file = text.substr(0, colon);
  return place;
}

Place read_place(const TomlTable& table) {
  Place place = table.find_name("at", parse_place).value_or(Place{});
  place.function = table.find<std::string>("in").value_or("");
  return place;
}

void read_effect(const TomlTable& table, Step& step) {
  const EffectKey* found = nullptr;
  for (const EffectKey& effect : kEffects) {
    const auto text = table.find<std::string>(effect.key);
    if (!text) continue;
    if (found)
      throw table.error(effect.key, fmt::format("a step has one effect, this one has '{}' too", found->key));
    found = &effect;
    step.effect = effect.kind;
    step.text = *text;
  }
  if (!found) {
    std::vector<std::string> names;
    for (const EffectKey& effect : kEffects) names.emplace_back(effect.key);
    throw table.error("at", fmt::format("a step needs an effect: one of {}", fmt::join(names, ", ")));
  }
  switch (step.effect) {
    case EffectKind::set:
      step.target = std::exchange(step.text, "");
      if (!step.target.starts_with("args.") && !step.target.starts_with("state.") &&
          !step.target.starts_with("env."))
        throw table.error("set", "what is set is args.*, state.* or env.*");
      if (!table.find_name("to", parsed)) throw table.error("set", "it needs `to`, the value");
      step.value = read_condition(table, "to");
      break;
    case EffectKind::check:
      step.value = table.find_name("check", parsed).value();
      step.error = table.find<std::string>("error").value_or("AssertionError");
      step.text = table.find<std::string>("message").value_or("");
      break;
    case EffectKind::raise:
      step.error = std::exchange(step.text, table.find<std::string>("message").value_or(""));
      break;
    case EffectKind::call:
      step.target = std::exchange(step.text, "");
      break;
    default:
      break;
  }
}

Step read_step(const TomlTable& table) {
  Step step;
  step.id = table.find<std::string>("id").value_or("");
  step.place = read_place(table);
  step.guard = read_condition(table, "guard");
  step.worker = table.find_name("worker", parse_worker);
  read_effect(table, step);
  if (const auto scope = table.find<std::string>("scope")) {
    if (*scope != "arguments") throw table.error("scope", fmt::format("it is 'arguments', not '{}'", *scope));
    step.of_arguments = true;
  }
  if (const auto undecided = table.find<std::string>("undecided")) {
    if (*undecided != "listed")
      throw table.error("undecided", fmt::format("it is 'listed', not '{}'", *undecided));
    step.listed = true;
  }
  return step;
}

Truth parse_hook(std::string_view text) {
  if (text == "yes") return Truth::yes;
  if (text == "no") return Truth::no;
  if (text == "unknown") return Truth::unknown;
  throw UsageError(fmt::format("a hook is yes, no or unknown, not '{}'", text));
}

ModelClass read_class(const TomlTable& table) {
  ModelClass model;
  model.name = table.get<std::string>("name");
  model.place = read_place(table);
  model.hook = table.find_name("hook", parse_hook).value_or(Truth::unknown);
  model.hook_at = table.find<std::string>("hook_at").value_or("");
  model.eagle3_at = table.find<std::string>("eagle3_at").value_or("");
  model.dynamic = table.find<bool>("dynamic").value_or(false);
  model.nextn = table.find<bool>("nextn").value_or(false);
  model.traits = table.find<std::vector<std::string>>("traits").value_or(std::vector<std::string>{});
  for (const TomlTable& entry : table.tables("sites")) {
    DispatchSite site;
    site.guard = read_condition(entry, "guard");
    for (const TomlTable& frame : entry.tables("frames")) site.frames.push_back(read_place(frame));
    if (site.frames.empty()) throw entry.error("frames", "a site needs at least one frame");
    model.sites.push_back(std::move(site));
  }
  return model;
}

// "--ep-size" sets ep_size.
std::string field_of(std::string name) {
  name.erase(0, name.find_first_not_of('-'));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

ServerFlag read_flag(const TomlTable& table) {
  ServerFlag flag;
  flag.names = table.get<std::vector<std::string>>("names");
  if (flag.names.empty()) throw table.error("names", "a flag needs a name");
  flag.field = table.find<std::string>("field").value_or(field_of(flag.names.front()));
  flag.takes = table.find<std::string>("takes").value_or("value");
  flag.place = read_place(table);
  if (const auto choices = table.find_name("choices", parse_literal))
    if (const auto* list = choices->as<Value::List>()) flag.choices = *list;
  return flag;
}

std::map<std::string, Value> read_values(const TomlTable& root, std::string_view key) {
  std::map<std::string, Value> values;
  if (const auto table = root.find_table(key))
    for (const std::string& name : table->keys())
      values[name] = table->find_name(name, parse_literal).value();
  return values;
}

}  // namespace

Pipeline read_pipeline(const TomlTable& root, const ScenarioText& scenario) {
  Pipeline pipeline;
  pipeline.name = scenario.name;
  pipeline.origin = scenario.origin;
  pipeline.title = root.find<std::string>("title").value_or(scenario.name);
  pipeline.server = root.find<std::string>("server").value_or("sglang");
  pipeline.version = root.find<std::string>("version").value_or("");
  pipeline.all_classes = root.find<bool>("all_classes").value_or(true);
  pipeline.entry = root.get<std::string>("entry");
  for (const TomlTable& table : root.tables("procedure")) {
    Procedure procedure;
    procedure.name = table.get<std::string>("name");
    for (const TomlTable& step : table.tables("step")) procedure.steps.push_back(read_step(step));
    const std::string name = procedure.name;
    if (!pipeline.procedures.emplace(name, std::move(procedure)).second)
      throw table.error("name", fmt::format("there are two procedures '{}'", name));
  }
  for (const TomlTable& table : root.tables("class")) {
    ModelClass model = read_class(table);
    pipeline.classes.insert_or_assign(model.name, std::move(model));
  }
  for (const TomlTable& table : root.tables("draft"))
    for (const std::string& target : table.get<std::vector<std::string>>("of"))
      pipeline.drafts[target] = table.get<std::string>("architecture");
  for (const TomlTable& table : root.tables("flags")) pipeline.flags.push_back(read_flag(table));
  pipeline.fields = read_values(root, "fields");
  pipeline.environment = read_values(root, "environment");
  for (const TomlTable& table : root.tables("problem"))
    pipeline.problems.push_back(
        {table.find<std::string>("file").value_or(""), table.get<std::string>("what")});
  pipeline.arguments = root.find<std::string>("arguments").value_or("");
  pipeline.absent = root.find<std::vector<std::string>>("absent").value_or(std::vector<std::string>{});
  check_calls(pipeline);
  return pipeline;
}

Pipeline read_pipeline(const ScenarioText& scenario) {
  const TomlDocument document(scenario);
  const TomlTable root = document.root();
  const std::string kind = root.get<std::string>("kind");
  if (kind != "init-pipeline")
    throw root.error("kind", fmt::format("'init-pipeline' was expected, not '{}'", kind));
  Pipeline pipeline = read_pipeline(root, scenario);
  document.finish();
  return pipeline;
}

}  // namespace ringside
