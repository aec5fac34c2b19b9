#include "spec/inputs.hpp"

#include <fmt/format.h>

namespace ringside {
namespace {

class Inputs {
 public:
  void add(const char* key, const std::optional<Quantity>& quantity, const char* unit, double scale = 1) {
    if (!quantity) return;
    SpecInput input{key, quantity->value * scale, unit, quantity->range, quantity->origin, quantity->source};
    if (input.range) input.range = {quantity->low() * scale, quantity->high() * scale};
    inputs_.push_back(std::move(input));
  }
  void count(const char* key, double value, Origin origin) {
    inputs_.push_back({key, value, "", {}, origin, ""});
  }
  std::vector<SpecInput> take() { return std::move(inputs_); }

 private:
  std::vector<SpecInput> inputs_;
};

}  // namespace

std::vector<SpecInput> list_inputs(const Inquiry& inquiry) {
  const SpecScenario& scenario = inquiry.scenario;
  const ModelShape& model = scenario.model;
  const SpeculationShape& shape = scenario.speculation;
  const AcceptanceInput& acceptance = scenario.acceptance;
  Inputs inputs;
  if (inquiry.facts) {
    inputs.count("model.layers", model.layers, model.origin);
    inputs.count("model.moe_layers", model.moe_layers, model.origin);
    inputs.count("model.hidden", model.hidden, model.origin);
    inputs.count("model.allreduces", model.allreduces, model.origin);
    const ModelFacts& facts = *inquiry.facts;
    const auto derived = [&](const char* key, double value, const char* unit) {
      inputs.add(key, Quantity{.value = value, .origin = model.origin, .range = {}, .source = facts.source},
                 unit);
    };
    derived("model.parameters", facts.parameters, "");
    derived("model.active_parameters", facts.active_parameters, "");
    derived("model.weight_bytes", facts.weight_bytes, "B");
    derived("model.kv_bytes", facts.kv_bytes(inquiry.workload.kv_bytes), "B a token");
    derived("model.window_bytes", facts.window_bytes(inquiry.workload.kv_bytes), "B a token in a window");
    derived("model.state_bytes", facts.state_bytes(), "B a sequence");
  }
  inputs.count("parallel.tp", scenario.parallel.tp, Origin::assumed);
  inputs.count("parallel.ep", scenario.parallel.ep, Origin::assumed);
  inputs.count("speculation.steps", shape.steps, Origin::assumed);
  inputs.count("speculation.top_k", shape.top_k, Origin::assumed);
  inputs.count("speculation.draft_tokens", shape.draft_tokens, Origin::assumed);
  inputs.count("speculation.batch", shape.batch, Origin::assumed);
  inputs.count("speculation.context", scenario.context, Origin::assumed);
  inputs.add("acceptance.length", acceptance.length, "tokens");
  inputs.add("acceptance.rate", acceptance.rate, "");
  for (std::size_t i = 0; i < acceptance.rates.size(); ++i) {
    inputs.add(fmt::format("acceptance.rates.{}", i).c_str(),
               Quantity{.value = acceptance.rates[i], .origin = acceptance.rates_origin}, "");
  }
  for (const ObservedReading& observed : inquiry.observations) {
    if (!observed.reading.tokens_s) continue;
    Quantity rate{.value = *observed.reading.tokens_s,
                  .origin = observed.origin,
                  .range = observed.reading.spread,
                  .source = observed.reading.source};
    inputs.add(observed.reading.speculative ? "observed.spec_tokens_s" : "observed.plain_tokens_s", rate,
               "tok/s");
  }
  inputs.add("observed.verify_communication_ms", scenario.observed.verify_communication_ms, "ms");
  inputs.add("observed.free_tp_gib", scenario.observed.free_tp_gib, "GiB");
  inputs.add("observed.free_ep_gib", scenario.observed.free_ep_gib, "GiB");
  return inputs.take();
}

}  // namespace ringside
