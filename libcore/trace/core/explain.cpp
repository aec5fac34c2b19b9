#include "trace/core/explain.hpp"

#include <algorithm>
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "base/text.hpp"

#include "trace/core/world.hpp"

namespace ringside {

namespace {

constexpr std::size_t kShownFrames = 8;

std::string frame_text(const TraceFrame& frame) {
  std::string text = fmt::format("{}:{}", frame.file, frame.line);
  if (!frame.function.empty()) text += fmt::format(", in {}", frame.function);
  if (!frame.source.empty()) text += ": " + frame.source;
  return text;
}

Value place_value(const TraceFrame& frame) {
  return fmt::format("{}:{}", frame.file, frame.line);
}

Value death_name(const TraceDeath& death, const std::string& name) {
  const std::size_t frames = death.frames.size();
  if (name == "death.phase")
    return death.phase.empty() ? Value(Unknown{"when it happened"}) : Value(death.phase);
  if (name == "death.message")
    return death.message.empty() ? Value(Unknown{"what it said"}) : Value(death.message);
  if (name == "death.words") return death.message;
  if (name == "death.worker")
    return death.worker.empty() ? Value(Unknown{"the worker"}) : Value(death.worker);
  if (name == "death.place" && frames > 0) return place_value(death.frames.back());
  if (name == "death.through" && frames > 1) return place_value(death.frames[frames - 2]);
  return Unknown{name};
}

Value marked_place(const std::vector<TraceStep>& steps, StepMark mark) {
  for (const TraceStep& step : steps)
    if (step.mark == mark) return fmt::format("{}:{}", step.file, step.line);
  return Unknown{"the step"};
}

Value target_name(const World& world, const std::string& name) {
  if (name == "target.name" || name == "target.has_hook") return world.get("class." + name.substr(7));
  const ModelClass* model = world.model_class();
  if (!model) return Unknown{"the class of the model"};
  if (name == "target.at") return model->place.text();
  if (name == "target.file") return model->place.file;
  return Unknown{name};
}

// What a sentence says for a name whose value is not known.
std::string stand_in(const std::string& name) {
  if (name == "target.name") return "the model's class";
  if (name == "target.file") return "its model file";
  if (name == "death.phase") return "during initialisation";
  if (name == "death.place") return "the failing line";
  const std::size_t dot = name.find('.');
  return fmt::format("the given {}", name.substr(dot + 1));
}

std::string filled(const std::string& text, const Lookup& names) {
  return fill_in(text, [&](const std::string& name) -> Value {
    const Value value = names(name);
    return value.is_unknown() ? Value(stand_in(name)) : value;
  });
}

// Evidence is a fact or it is left out.
bool all_known(const std::string& text, const Lookup& names) {
  bool known = true;
  fill_in(text, [&](const std::string& name) {
    const Value value = names(name);
    known = known && !value.is_unknown();
    return value;
  });
  return known;
}

// Where others had this death.
std::string reported(const Signature& signature) {
  return fmt::format("reported in {}{}", fmt::join(signature.sources, ", "),
                     signature.versions.empty() ? "" : fmt::format(" ({})", signature.versions));
}

// Whether a remedy is a change of the command or its environment: it names a flag, or sets a variable.
bool can_be_typed(std::string_view action) {
  if (action.starts_with("add ") || action.starts_with("upgrade") || action.starts_with("move "))
    return false;
  for (std::size_t at = action.find("--"); at != std::string_view::npos; at = action.find("--", at + 2))
    if ((at == 0 || action[at - 1] == ' ') && at + 2 < action.size() &&
        std::isalpha(static_cast<unsigned char>(action[at + 2])))
      return true;
  const std::size_t equals = action.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         (std::isupper(static_cast<unsigned char>(action[equals - 1])) != 0 || action[equals - 1] == '_');
}

const Signature::Cause& choose_cause(const Signature& signature, const Lookup& names) {
  for (const Signature::Cause& cause : signature.causes)
    if (!cause.when || cause.when->judge(names).verdict() == Truth::yes) return cause;
  return signature.causes.back();
}

}  // namespace

Lookup explanation_names(const Pipeline& pipeline, const Launch& launch, const Evaluation& evaluation) {
  auto world = std::make_shared<World>(pipeline, launch, RankPosition{});
  for (const auto& [field, value] : evaluation.args) world->set("args." + field, value);
  world->set("state.moe_a2a_backend", world->get("args.moe_a2a_backend"));
  world->enter(Worker::target);
  auto death = std::make_shared<TraceDeath>(evaluation.death.value_or(TraceDeath{}));
  const Value metadata = marked_place(evaluation.steps, StepMark::set_to_none);
  const Value config = marked_place(evaluation.steps, StepMark::should_have_set);
  return [=](const std::string& name) -> Value {
    if (name == "metadata.at") return metadata;
    if (name == "config.at") return config;
    if (name.starts_with("death.")) return death_name(*death, name);
    if (name.starts_with("target.")) return target_name(*world, name);
    return world->get(name);
  };
}

Lookup explanation_names(const TraceDeath& death) {
  return [death](const std::string& name) -> Value {
    return name.starts_with("death.") ? death_name(death, name) : Value(Unknown{name});
  };
}

std::vector<Finding> explain(const Signature& signature, const Lookup& names) {
  std::vector<Finding> findings;
  findings.push_back(
      {finding_kind("symptom"), Severity::note, signature.id, filled(signature.symptom, names), {}, ""});

  std::vector<const Signature::Remedy*> remedies;
  for (const Signature::Remedy& remedy : signature.remedies)
    if (remedy.when.judge(names).verdict() == Truth::yes) remedies.push_back(&remedy);
  // What can be typed comes before what must be built or written.
  std::stable_partition(remedies.begin(), remedies.end(),
                        [](const Signature::Remedy* remedy) { return can_be_typed(remedy->action); });

  const Signature::Cause& cause = choose_cause(signature, names);
  Finding root{
      finding_kind("root-cause"), signature.severity, signature.id, filled(cause.text, names), {}, ""};
  for (const std::string& line : cause.evidence)
    if (all_known(line, names)) root.evidence.push_back(filled(line, names));
  if (!signature.sources.empty()) root.evidence.push_back(reported(signature));
  if (!remedies.empty()) root.remedy = filled(remedies.front()->action, names);
  findings.push_back(std::move(root));

  for (const Signature::NotCause& other : signature.not_causes)
    if (other.when.judge(names).verdict() == Truth::yes)
      findings.push_back(
          {finding_kind("not-the-cause"), Severity::note, other.what, filled(other.why, names), {}, ""});
  for (std::size_t i = 0; i < remedies.size(); ++i) {
    findings.push_back({finding_kind("remedy"),
                        Severity::note,
                        fmt::format("{}", i + 1),
                        filled(remedies[i]->action, names),
                        {"costs: " + filled(remedies[i]->cost, names)},
                        ""});
    if (remedies[i]->patch.empty() || !all_known(remedies[i]->patch, names)) continue;
    findings.back().evidence.emplace_back(kPatchFollows);
    for (std::string& line : split(filled(remedies[i]->patch, names), '\n'))
      if (!line.empty()) findings.back().evidence.push_back(std::move(line));
  }
  return findings;
}

std::vector<Finding> explain_unknown(const TraceDeath& death) {
  Finding finding{
      "unknown-death",
      Severity::error,
      death.error.empty() ? "launch" : death.error,
      fmt::format("it died of {}, which is none of the deaths that ringside knows", error_text(death)),
      {},
      ""};
  const std::size_t frames = death.frames.size();
  for (std::size_t i = frames - std::min(frames, kShownFrames); i < frames; ++i)
    finding.evidence.push_back(frame_text(death.frames[i]));
  return {finding};
}

std::string error_text(const TraceDeath& death) {
  if (death.error.empty()) return death.message.empty() ? "an error without a name" : death.message;
  return death.message.empty() ? death.error : fmt::format("{}: {}", death.error, death.message);
}

}  // namespace ringside
