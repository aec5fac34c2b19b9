#include "spec/step_model.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kMs = 1e6;

double read_ns(const SpecScenario& scenario, const MachineProfile& machine, Layout layout, double tokens) {
  return bytes_read(scenario.model, scenario.parallel, layout, tokens) / machine.read_gbps;
}

// What a draft step reads: its layers, about as large as the target's dense ones, and the output matrix.
double draft_read_ns(const SpecScenario& scenario, const MachineProfile& machine) {
  const ModelShape& model = scenario.model;
  const double width = model.dense_intermediate > 0 ? model.dense_intermediate : 3.0 * model.hidden;
  const double layer = model.attention_parameters + 3 * model.hidden * width;
  const double parameters = scenario.speculation.draft_layers * layer + model.vocabulary * model.hidden;
  constexpr double kBytes = 2;  // drafts are rarely quantised
  return kBytes * parameters / scenario.parallel.tp / machine.read_gbps;
}

Quantity in_ns(const Quantity& ms) {
  Quantity ns = ms;
  ns.value *= kMs;
  if (ns.range) ns.range = {ms.low() * kMs, ms.high() * kMs};
  return ns;
}

Quantity scaled(const Quantity& quantity, double factor) {
  Quantity result = quantity;
  result.value *= factor;
  if (result.range) result.range = {quantity.low() * factor, quantity.high() * factor};
  result.origin = Origin::modelled;
  return result;
}

// The observed step less the communication that the machine's model gives it. Between what reading alone
// takes and a step without any communication lies what it can be.
Quantity from_observation(const SpecScenario& scenario, const MachineProfile& machine,
                          const Communication& baseline) {
  const double step_ns = scenario.speculation.batch / scenario.observed.plain_tokens_s->value * 1e9;
  const double reading_ns =
      std::min(read_ns(scenario, machine, Layout::tp, scenario.speculation.batch), step_ns);
  const double rest = step_ns - forward_ns(scenario, baseline, scenario.speculation.batch);
  Quantity plain{.value = std::clamp(rest, reading_ns, step_ns), .origin = Origin::modelled};
  plain.range = {reading_ns, step_ns};
  plain.source = "the observed plain step less its modelled communication";
  return plain;
}

}  // namespace

ComputeTimes ComputeTimes::at_end(bool high) const {
  const auto end = [high](const Quantity& quantity) {
    return Quantity{.value = high ? quantity.high() : quantity.low(), .origin = quantity.origin};
  };
  return {end(plain_ns), end(verify_ns), end(draft_ns)};
}

ComputeTimes find_compute(const SpecScenario& scenario, const MachineProfile& machine,
                          const Communication& baseline) {
  const double plain_tokens = scenario.speculation.batch;
  const double verify_tokens = scenario.speculation.verify_tokens();
  ComputeTimes compute;
  if (scenario.compute.plain_ms) {
    compute.plain_ns = in_ns(*scenario.compute.plain_ms);
  } else if (scenario.observed.plain_tokens_s) {
    compute.plain_ns = from_observation(scenario, machine, baseline);
  } else {
    compute.plain_ns = {.value = read_ns(scenario, machine, Layout::tp, plain_tokens),
                        .origin = Origin::modelled,
                        .source = "bytes of weights read by a rank / its memory's bandwidth"};
  }
  const double plain_reading = read_ns(scenario, machine, Layout::tp, plain_tokens);
  const double growth =
      plain_reading > 0 ? read_ns(scenario, machine, Layout::tp, verify_tokens) / plain_reading : 1;
  if (scenario.compute.verify_ms) {
    compute.verify_ns = in_ns(*scenario.compute.verify_ms);
  } else {
    compute.verify_ns = scaled(compute.plain_ns, growth);
    compute.verify_ns.source = "the plain step's, in proportion to the weights read";
  }
  if (scenario.compute.draft_ms) {
    compute.draft_ns = in_ns(*scenario.compute.draft_ms);
  } else {
    compute.draft_ns = {.value = draft_read_ns(scenario, machine),
                        .origin = Origin::modelled,
                        .source = "bytes of a draft layer and the output matrix / the memory's bandwidth"};
  }
  return compute;
}

int StepModel::levels(int draft_tokens) const {
  const SpeculationShape& shape = scenario_.speculation;
  if (draft_tokens == shape.draft_tokens) return shape.draft_tokens > 1 ? shape.steps : 0;
  const double width = std::max(1.0, (shape.draft_tokens - 1.0) / shape.steps);
  return static_cast<int>(std::ceil((draft_tokens - 1) / width));
}

// From what is known of the nearest number of tokens, in proportion to the bytes that the busiest rank reads.
double StepModel::compute_ns(Layout layout, std::int64_t tokens) const {
  const bool plain = tokens <= scenario_.speculation.batch;
  const double known_tokens = plain ? scenario_.speculation.batch : scenario_.speculation.verify_tokens();
  const double known_ns = plain ? compute_.plain_ns.value : compute_.verify_ns.value;
  const double known_read = bytes_read(scenario_.model, scenario_.parallel, Layout::tp, known_tokens);
  if (known_read <= 0) return known_ns;
  const auto count = static_cast<double>(tokens);
  return known_ns * bytes_read(scenario_.model, scenario_.parallel, layout, count) / known_read;
}

double StepModel::plain_step_ns(const Communication& communication) const {
  const std::int64_t tokens = scenario_.speculation.batch;
  return compute_ns(communication.layout, tokens) + forward_ns(scenario_, communication, tokens);
}

double StepModel::verify_ns(const Communication& communication, int draft_tokens) const {
  const std::int64_t tokens = std::int64_t{scenario_.speculation.batch} * draft_tokens;
  return compute_ns(communication.layout, tokens) + forward_ns(scenario_, communication, tokens);
}

double StepModel::draft_ns(const Communication& communication, int draft_tokens) const {
  return levels(draft_tokens) * (compute_.draft_ns.value + draft_step_ns(scenario_, communication));
}

double StepModel::step_ns(const Communication& communication, int draft_tokens) const {
  if (draft_tokens <= 1) return plain_step_ns(communication);
  return verify_ns(communication, draft_tokens) + draft_ns(communication, draft_tokens);
}

double StepModel::plain_tokens_s(const Communication& communication) const {
  return scenario_.speculation.batch / plain_step_ns(communication) * 1e9;
}

double StepModel::tokens_s(const Communication& communication, int draft_tokens) const {
  return scenario_.speculation.batch * acceptance_.tokens(levels(draft_tokens)) /
         step_ns(communication, draft_tokens) * 1e9;
}

}  // namespace ringside
