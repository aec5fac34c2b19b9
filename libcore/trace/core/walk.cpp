#include "trace/core/walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxTraceSteps = 20000;
constexpr int kMaxCalls = 50000;

bool about_state(const Step& step) {
  return step.target.starts_with("state.") || step.value.text().find("state.") != std::string::npos ||
         step.value.text().find("class.") != std::string::npos;
}

std::string short_name(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

Walk::Walk(const Pipeline& pipeline, const Launch& launch, RankPosition rank)
    : pipeline_(pipeline),
      launch_(launch),
      world_(pipeline, launch, rank),
      lookup_([this](const std::string& name) { return world_.get(name); }) {}

void Walk::run() {
  run_procedure(pipeline_.entry, true);
  result.args = world_.args();
  result.asked_for_gpu = world_.gpu_was_asked();
}

Walk::End Walk::run_procedure(const std::string& name, bool certain) {
  if (++calls_ > kMaxCalls)
    throw UsageError(fmt::format("{}: more than {} calls", pipeline_.origin, kMaxCalls));
  const Procedure& procedure = pipeline_.procedures.at(name);
  End end = End::normal;
  bool sure = certain;
  for (const Step& step : procedure.steps) {
    end = run_step(step, sure);
    if (end == End::died) break;
    if (end == End::left) {
      const Truth whether = step.guard.judge(lookup_).verdict();
      if (whether != Truth::unknown) break;
      sure = false;  // it may have left: what follows runs only perhaps
      end = End::normal;
    }
  }
  return end == End::left ? End::normal : end;
}

Walk::End Walk::run_step(const Step& step, bool certain) {
  if (result.steps.size() > kMaxTraceSteps)
    throw UsageError(fmt::format("{}: more than {} steps", pipeline_.origin, kMaxTraceSteps));
  const Judgement guard = step.guard.judge(lookup_);
  if (guard.verdict() == Truth::no) {
    const bool worth = step.of_arguments ? false
                                         : step.effect == EffectKind::forward ||
                                               step.effect == EffectKind::memory || about_state(step);
    if (worth && step.effect != EffectKind::call)
      record(step, guard,
             step.effect == EffectKind::set ? fmt::format("{} stays", short_name(step.target)) : step.text,
             StepResult::skipped);
    return End::normal;
  }
  return perform(step, guard, certain && guard.verdict() == Truth::yes);
}

Walk::End Walk::perform(const Step& step, const Judgement& guard, bool certain) {
  const StepResult as = certain ? StepResult::ran : StepResult::undecided;
  switch (step.effect) {
    case EffectKind::set:
      assign(step, guard, certain);
      return End::normal;
    case EffectKind::check:
      return check(step, guard, certain);
    case EffectKind::raise:
      return die(step, guard, filled(step.text), certain);
    case EffectKind::call:
      return call(step, certain);
    case EffectKind::forward:
      return forward(step, guard, certain);
    case EffectKind::leave:
      record(step, guard, fmt::format("returns: {}", step.text), as);
      return End::left;
    case EffectKind::warn:
      record(step, guard, fmt::format("logs: {}", filled(step.text)), as);
      return End::normal;
    case EffectKind::memory:
      return size_memory(step, guard, certain);
    case EffectKind::milestone:
      record(step, guard, step.text, as);
      return End::normal;
  }
  throw InternalError("an effect without a meaning");
}

Walk::End Walk::call(const Step& step, bool certain) {
  const Worker before = world_.worker();
  if (step.worker) world_.enter(*step.worker);
  stack_.push_back(step.place);
  const End end = run_procedure(step.target, certain);
  stack_.pop_back();
  world_.enter(before);
  return end;
}

Walk::End Walk::forward(const Step& step, const Judgement& guard, bool certain) {
  const Worker before = world_.worker();
  if (step.worker) world_.enter(*step.worker);
  record(step, guard, step.text, certain ? StepResult::ran : StepResult::undecided);
  const std::string outer = std::exchange(phase_, step.text);
  stack_.push_back(step.place);
  bool died = false;
  const ModelClass* model = world_.model_class();
  if (model) {
    for (const DispatchSite& site : model->sites) {
      died = dispatch_at(site, certain);
      if (died) break;
    }
  }
  const Value metadata = world_.get("state.expert_location_metadata");
  if ((model ? model->dynamic : any_class_asks()) && (metadata.is_none() || metadata.is_unknown()))
    not_decided(step,
                fmt::format("whether the {} model asks for the dispatch table", to_string(world_.worker())),
                model ? model->name + " picks its inner model at run time" : why_no_class());
  stack_.pop_back();
  phase_ = outer;
  world_.enter(before);
  return died ? End::died : End::normal;
}

std::string Walk::why_no_class() const {
  const Value architecture = world_.architecture();
  return architecture.is_unknown() ? architecture.why()
                                   : fmt::format("the pipeline has no class {}", to_text(architecture));
}

// Whether a model of a class that is not known may ask for the dispatch table.
bool Walk::any_class_asks() {
  if (!pipeline_.all_classes) return true;
  return std::any_of(pipeline_.classes.begin(), pipeline_.classes.end(), [this](const auto& entry) {
    return std::any_of(
        entry.second.sites.begin(), entry.second.sites.end(),
        [this](const DispatchSite& site) { return site.guard.judge(lookup_).verdict() != Truth::no; });
  });
}

bool Walk::dispatch_at(const DispatchSite& site, bool certain) {
  const Judgement guard = site.guard.judge(lookup_);
  if (guard.verdict() == Truth::no) return false;
  const bool sure = certain && guard.verdict() == Truth::yes;
  for (std::size_t i = 0; i < site.frames.size(); ++i) {
    Step step;
    step.place = site.frames[i];
    if (i == 0) step.guard = site.guard;
    stack_.push_back(site.frames[i]);
    record(step, i == 0 ? guard : Judgement{true, {}},
           i + 1 == site.frames.size() ? "asks for the dispatch table"
                                       : fmt::format("goes to {}", site.frames[i + 1].function),
           sure ? StepResult::ran : StepResult::undecided);
  }
  const End end = run_procedure(kDispatchProcedure, sure);
  stack_.resize(stack_.size() - site.frames.size());
  return end == End::died;
}

void Walk::assign(const Step& step, const Judgement& guard, bool certain) {
  const Judgement judged = step.value.judge(lookup_);
  Value value = judged.value;
  const Value old = world_.get(step.target);
  if (!certain && equal(old, value) != Truth::yes)
    value = Unknown{fmt::format("{} may have been set at {}", short_name(step.target), step.place.text())};
  if (step.of_arguments) {
    world_.set(step.target, std::move(value));
    return;
  }
  TraceStep& recorded = record(step, guard, fmt::format("{} = {}", short_name(step.target), to_text(value)),
                               certain ? StepResult::ran : StepResult::undecided);
  for (const auto& decided : values_of(judged.names)) recorded.decided_by.push_back(decided);
  set_by_[step.target] = result.steps.size() - 1;
  if (step.target == "state.expert_location_metadata" && value.is_none()) result.metadata_missing = true;
  world_.set(step.target, std::move(value));
}

Walk::End Walk::check(const Step& step, const Judgement& guard, bool certain) {
  const Judgement judged = step.value.judge(lookup_);
  if (judged.verdict() == Truth::yes) {
    if (about_state(step) && !step.of_arguments) {
      TraceStep& recorded = record(step, guard, fmt::format("holds: {}", step.value.text()),
                                   certain ? StepResult::ran : StepResult::undecided);
      for (const auto& decided : values_of(judged.names)) recorded.decided_by.push_back(decided);
    }
    return End::normal;
  }
  if (judged.verdict() == Truth::unknown) {
    if (step.of_arguments) not_evaluated(step, step.value.text(), judged.value.why());
    if (passed_over(step, judged) && passed_over(step, guard)) return End::normal;
    TraceStep& recorded =
        record(step, guard, fmt::format("may fail: {}", step.value.text()), StepResult::undecided);
    recorded.decided_by = values_of(judged.names);
    not_decided(step, fmt::format("{} ({})", step.value.text(), step.error), judged.value.why());
    return End::normal;
  }
  Judgement both = guard;
  for (const std::string& name : judged.names)
    if (std::find(both.names.begin(), both.names.end(), name) == both.names.end()) both.names.push_back(name);
  const End end = die(step, both, filled(step.text), certain);
  if (end == End::died) mark_origin(judged.names);
  return end;
}

Walk::End Walk::size_memory(const Step& step, const Judgement& guard, bool certain) {
  const auto number = [this](const char* name) -> const Value {
    const Value value = world_.get(name);
    return value.as<double>() || value.as<std::int64_t>() ? value : Value(Unknown{name});
  };
  // The server may have adjusted its share in a way that can't be followed: then the given one counts.
  const auto given = launch_.args.find("mem_fraction_static");
  const Value now = world_.get("args.mem_fraction_static");
  const Value fraction = !now.is_none() && !now.is_unknown() ? number("args.mem_fraction_static")
                         : given != launch_.args.end() && !given->second.is_none()
                             ? given->second
                             : number("memory.mem_fraction_static");
  static const Condition kReserve("memory.free_after_weights - memory.total * (1 - local.fraction)");
  const Value left = kReserve.value(
      [&](const std::string& name) { return name == "local.fraction" ? fraction : number(name.c_str()); });
  if (left.is_unknown()) {
    record(step, guard, step.text + " (not checked: memory is not given)", StepResult::ran);
    return End::normal;
  }
  const double gigabytes = *left.as<double>();
  const std::string sum = fmt::format(
      "{:.1f} GB for the KV pool: {} GB free after weights - {} GB x (1 - {})", gigabytes,
      to_text(number("memory.free_after_weights")), to_text(number("memory.total")), to_text(fraction));
  if (gigabytes > 0) {
    record(step, guard, sum, StepResult::ran);
    return End::normal;
  }
  Step dying = step;
  dying.error = "RuntimeError";
  const End end =
      die(dying, guard, "Not enough memory. Please try to increase --mem-fraction-static.", certain);
  result.steps.back().effect += " (" + sum + ")";
  return end;
}

Walk::End Walk::die(const Step& step, const Judgement& guard, const std::string& message, bool certain) {
  if (!certain && step.of_arguments) {
    not_evaluated(step, step.guard.text(), guard.value.is_unknown() ? guard.value.why() : "");
    if (passed_over(step, guard)) return End::normal;
  }
  const std::string effect = message.empty() ? step.error : fmt::format("{}: {}", step.error, message);
  TraceStep& recorded = record(step, guard, effect, certain ? StepResult::died : StepResult::undecided);
  TraceDeath death;
  death.error = step.error;
  death.message = message;
  death.worker = to_string(world_.worker());
  death.phase = phase_;
  for (const Place& place : stack_) death.frames.push_back({place.file, place.line, place.function});
  death.frames.push_back({step.place.file, step.place.line, step.place.function});
  if (!certain) {
    not_decided(step, "whether it dies here: " + effect, "");
    result.possible_deaths.push_back(std::move(death));
    return End::normal;
  }
  recorded.mark = StepMark::died;
  result.death = std::move(death);
  return End::died;
}

// Whether an undecided check is only listed: one that hangs on a value which the command gives, and which
// can't be known, decides the outcome like any other.
bool Walk::passed_over(const Step& step, const Judgement& judged) const {
  return step.listed && std::none_of(judged.names.begin(), judged.names.end(), [this](const auto& name) {
           if (!name.starts_with("args.")) return false;
           const auto given = launch_.args.find(name.substr(5));
           return given != launch_.args.end() && given->second.is_unknown();
         });
}

void Walk::not_evaluated(const Step& step, const std::string& what, const std::string& why) {
  constexpr std::size_t kShown = 120;
  const std::string shown = what.size() > kShown ? what.substr(0, kShown) + "..." : what;
  result.not_evaluated[step.place.text()] =
      fmt::format("{} ({}): {}", step.place.text(), step.place.function,
                  why.empty() ? shown : fmt::format("not known: {}", why));
}

void Walk::not_decided(const Step& step, const std::string& what, const std::string& why) {
  const std::string line = why.empty() ? fmt::format("{}: {}", step.place.text(), what)
                                       : fmt::format("{}: {}: not known: {}", step.place.text(), what, why);
  if (std::find(result.undecided.begin(), result.undecided.end(), line) == result.undecided.end())
    result.undecided.push_back(line);
}

// A failed check on something that a step set to None: that step, and the one that left it without a value.
void Walk::mark_origin(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto setter = set_by_.find(name);
    if (setter == set_by_.end() || !world_.get(name).is_none()) continue;
    TraceStep& step = result.steps[setter->second];
    step.mark = StepMark::set_to_none;
    for (const auto& [source, value] : step.decided_by) {
      const auto origin = set_by_.find(source);
      if (origin != set_by_.end() && value == "None")
        result.steps[origin->second].mark = StepMark::should_have_set;
    }
  }
}

TraceStep& Walk::record(const Step& step, const Judgement& guard, std::string effect, StepResult as) {
  TraceStep recorded;
  recorded.depth = static_cast<int>(stack_.size());
  recorded.worker = to_string(world_.worker());
  recorded.file = step.place.file;
  recorded.line = step.place.line;
  recorded.function = step.place.function;
  recorded.guard = step.guard.always() ? "" : step.guard.text();
  recorded.decided_by = values_of(guard.names);
  recorded.effect = std::move(effect);
  recorded.result = as;
  return result.steps.emplace_back(std::move(recorded));
}

std::vector<std::pair<std::string, std::string>> Walk::values_of(
    const std::vector<std::string>& names) const {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& name : names) values.emplace_back(name, to_text(world_.get(name)));
  return values;
}

std::string Walk::filled(const std::string& text) const {
  return fill_in(text, lookup_);
}

}  // namespace ringside
