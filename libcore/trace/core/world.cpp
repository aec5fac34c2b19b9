#include "trace/core/world.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

namespace {

const Value* find(const std::map<std::string, Value>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

constexpr const char* kFallbackClass = "TransformersForCausalLM";

}  // namespace

World::World(const Pipeline& pipeline, const Launch& launch, RankPosition rank)
    : pipeline_(pipeline),
      launch_(launch),
      rank_(rank),
      args_(launch.args),
      environment_(launch.environment) {
  state_["moe_a2a_backend"] = "none";
  state_["expert_location_metadata"] = None{};
}

Value World::get(const std::string& name) const {
  const std::size_t dot = name.find('.');
  const std::string family = name.substr(0, dot), rest = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (family == "args") return argument(rest);
  if (family == "state") return state(rest);
  if (family == "env") return variable(rest);
  if (family == "env_set") return find(environment_, rest) != nullptr;
  if (family == "model") return model_fact(launch_.model, rest);
  if (family == "draft") return draft_fact(rest);
  if (family == "class") return class_fact(rest);
  if (family == "gpu") return hardware(rest);
  if (name == "worker.draft") return worker_ == Worker::draft;
  if (name == "worker.nextn") {
    const ModelClass* found = model_class();
    return worker_ == Worker::draft && found && found->nextn;
  }
  if (family == "rank") {
    rank_was_read_ = true;
    if (rest == "tp") return rank_.tp;
    if (rest == "pp") return rank_.pp;
    if (rest == "ep") return rank_.ep;
  }
  if (name == "forward.tokens") return 1;
  if (name == "forward.mode") return "decode";
  if (family == "memory") {
    const Value* value = find(launch_.memory, rest);
    return value ? *value : Value(Unknown{"memory." + rest});
  }
  return Unknown{name};
}

void World::set(const std::string& name, Value value) {
  const std::size_t dot = name.find('.');
  const std::string family = name.substr(0, dot), rest = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (rest.empty() || (family != "args" && family != "env" && family != "state"))
    throw UsageError(fmt::format("a step can set args.*, env.* or state.*, not '{}'", name));
  auto& values = family == "args" ? args_ : family == "env" ? environment_ : state_;
  values[rest] = std::move(value);
}

Value World::argument(const std::string& field) const {
  if (const Value* given = find(args_, field)) return *given;
  if (field == "device") return "cuda";  // what the server finds on the boxes that this is about
  if (const Value* standard = find(pipeline_.fields, field)) return *standard;
  return Unknown{fmt::format("the argument {}", field)};
}

Value World::variable(const std::string& name) const {
  if (const Value* given = find(environment_, name)) return *given;
  if (const Value* standard = find(pipeline_.environment, name)) return *standard;
  return None{};
}

Value World::model_fact(const LaunchModel& model, const std::string& key) const {
  if (key == "architecture") return model.architecture;
  if (const Value* value = find(model.values, key)) return *value;
  if (key == "num_experts") {
    for (const char* name : {"n_routed_experts", "num_local_experts", "moe_num_experts"})
      if (const Value* value = find(model.values, name)) return *value;
  }
  if (model.complete) return None{};
  return Unknown{fmt::format("the model's {}", key)};
}

Value World::draft_fact(const std::string& key) const {
  if (const Value* value = find(launch_.draft.values, key)) return *value;
  if (key == "use_aux_hidden_state")
    return true;  // the default where a draft's configuration does not say otherwise
  return model_fact(launch_.draft, key);
}

Value World::draft_architecture() const {
  if (!launch_.draft.architecture.is_unknown()) return launch_.draft.architecture;
  const Value path = argument("speculative_draft_model_path");
  const auto* target = launch_.model.architecture.as<std::string>();
  const bool same_model = path.is_none() || equal(path, argument("model_path")) == Truth::yes;
  if (target && same_model) {
    const auto found = pipeline_.drafts.find(*target);
    if (found != pipeline_.drafts.end()) return found->second;
  }
  return Unknown{"the draft model's architecture"};
}

Value World::architecture() const {
  return worker_ == Worker::draft ? draft_architecture() : launch_.model.architecture;
}

const ModelClass* World::model_class() const {
  const Value found = architecture();
  const auto* name = found.as<std::string>();
  if (!name) return nullptr;
  if (const Value implementation = argument("model_impl");
      implementation.as<std::string>() && *implementation.as<std::string>() == "transformers")
    return pipeline_.find_class(kFallbackClass);
  if (const ModelClass* known = pipeline_.find_class(*name)) return known;
  return pipeline_.find_class(kFallbackClass);
}

Value World::class_fact(const std::string& name) const {
  const ModelClass* found = model_class();
  if (name == "name") {
    if (found) return found->name;
    return architecture();
  }
  if (!found) {
    const Value known = architecture();
    return known.is_unknown() ? known : Value(Unknown{"the class " + *known.as<std::string>()});
  }
  if (name == "has_hook") {
    if (found->hook == Truth::unknown)
      return Unknown{
          fmt::format("whether {}'s get_model_config_for_expert_location gives a value", found->name)};
    return found->hook == Truth::yes;
  }
  constexpr std::string_view kTrait = "trait_";
  if (name.starts_with(kTrait)) {
    const std::string trait = name.substr(kTrait.size());
    return std::find(found->traits.begin(), found->traits.end(), trait) != found->traits.end();
  }
  if (name == "set_eagle3_layers_to_capture") return !found->eagle3_at.empty();
  return Unknown{fmt::format("{} of {}", name, found->name)};
}

Value World::state(const std::string& name) const {
  if (name == "moe_a2a_backend" && worker_ == Worker::draft)
    if (const Value* own = find(state_, "draft_moe_a2a_backend")) return *own;
  const Value* value = find(state_, name);
  return value ? *value : Value(Unknown{name});
}

Value World::hardware(const std::string& name) const {
  if (const Value* known = find(launch_.hardware, name)) return *known;
  static constexpr std::array<std::string_view, 6> kOtherVendors = {"is_hip", "is_npu", "is_xpu",
                                                                    "is_hpu", "is_cpu", "is_musa"};
  if (name == "is_cuda") return true;
  for (const std::string_view other : kOtherVendors)
    if (name == other) return false;
  gpu_was_asked_ = true;
  return Unknown{"the GPU (" + name + ")"};
}

const ModelClass* Pipeline::find_class(const std::string& class_name) const {
  const auto found = classes.find(class_name);
  return found == classes.end() ? nullptr : &found->second;
}

std::string_view to_string(Worker worker) {
  switch (worker) {
    case Worker::main:
      return "main";
    case Worker::target:
      return "target";
    default:
      return "draft";
  }
}

}  // namespace ringside
