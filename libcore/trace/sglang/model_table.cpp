#include "trace/sglang/model_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trace/core/world.hpp"

namespace ringside {

namespace {

// The all-to-all backends that the version's flag accepts.
std::vector<std::string> backends(const Pipeline& pipeline) {
  std::vector<std::string> names;
  for (const ServerFlag& flag : pipeline.flags)
    if (flag.field == "moe_a2a_backend")
      for (const Value& choice : flag.choices)
        if (const auto* name = choice.as<std::string>()) names.push_back(*name);
  return names;
}

// Whether asking for the dispatch table fails when there is no metadata.
Truth dispatch_fails(const Pipeline& pipeline, const Lookup& names) {
  const auto found = pipeline.procedures.find(kDispatchProcedure);
  if (found == pipeline.procedures.end()) return Truth::unknown;
  for (const Step& step : found->second.steps) {
    const Truth reached = step.guard.judge(names).verdict();
    if (reached == Truth::no) continue;
    if (reached == Truth::unknown) return Truth::unknown;
    if (step.effect == EffectKind::leave) return Truth::no;
    if (step.effect == EffectKind::raise) return Truth::yes;
    if (step.effect == EffectKind::check) {
      const Truth holds = step.value.judge(names).verdict();
      if (holds != Truth::yes) return holds == Truth::no ? Truth::yes : Truth::unknown;
    }
  }
  return Truth::no;
}

// Versions of mid-2025 give a class without the hook a dummy, so that nothing is None.
bool gives_none(const Pipeline& pipeline) {
  for (const auto& [name, procedure] : pipeline.procedures)
    for (const Step& step : procedure.steps)
      if (step.effect == EffectKind::set && step.target == "state.expert_location_config")
        return step.value.value([](const std::string&) -> Value { return false; }).is_none();
  return true;
}

void judge(const Pipeline& pipeline, const std::string& backend, ModelVerdict& verdict) {
  Launch launch;
  launch.model.architecture = verdict.model->name;
  launch.args["moe_a2a_backend"] = backend;
  World world(pipeline, launch, {});
  world.set("state.moe_a2a_backend", backend);
  world.enter(verdict.model->nextn ? Worker::draft : Worker::target);
  launch.draft.architecture = verdict.model->name;
  const Lookup names = [&](const std::string& name) { return world.get(name); };
  Truth reached = Truth::no;
  for (const DispatchSite& site : verdict.model->sites) {
    const Truth now = site.guard.judge(names).verdict();
    if (now == Truth::yes || (now == Truth::unknown && reached == Truth::no)) reached = now;
  }
  if (reached == Truth::no) return;
  const Truth fails = dispatch_fails(pipeline, names);
  if (fails == Truth::no) return;
  (reached == Truth::yes && fails == Truth::yes ? verdict.asserts_with : verdict.perhaps_with)
      .push_back(backend);
}

}  // namespace

std::vector<ModelVerdict> judge_models(const Pipeline& pipeline) {
  const std::vector<std::string> names = backends(pipeline);
  const bool none = gives_none(pipeline);
  std::vector<ModelVerdict> verdicts;
  for (const auto& [name, model] : pipeline.classes) {
    ModelVerdict verdict;
    verdict.model = &model;
    verdict.stand_in = !none;
    verdict.judged = none && !names.empty();
    if (model.hook != Truth::yes && none)
      for (const std::string& backend : names)
        if (backend != "none") judge(pipeline, backend, verdict);
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::string to_text(const ModelVerdict& verdict) {
  const ModelClass& model = *verdict.model;
  if (model.hook == Truth::yes) return fmt::format("has the hook ({})", model.hook_at);
  const std::string state = model.hook == Truth::no ? "no hook" : "not known whether its hook gives a value";
  if (!verdict.asserts_with.empty() && model.hook == Truth::no)
    return fmt::format("{}: will assert with --moe-a2a-backend {}{}", state,
                       fmt::join(verdict.asserts_with, ", "), model.nextn ? " (as a draft)" : "");
  if (!verdict.asserts_with.empty() || !verdict.perhaps_with.empty())
    return fmt::format(
        "{}: may fail with --moe-a2a-backend {}", state,
        fmt::join(verdict.asserts_with.empty() ? verdict.perhaps_with : verdict.asserts_with, ", "));
  if (model.dynamic)
    return state + ", picks its inner model at run time: not known whether it asks for the table";
  if (!model.sites.empty() && !verdict.judged)
    return state + (verdict.stand_in
                        ? ": asks for the dispatch table, and gets a stand-in in this version"
                        : ": asks for the dispatch table, not known with which --moe-a2a-backend");
  return state + ", never asks for the dispatch table";
}

}  // namespace ringside
