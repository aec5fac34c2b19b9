#pragma once

#include "spec/communication.hpp"
#include "spec/scenario.hpp"
#include "spec/step_model.hpp"

namespace ringside::test {

// Round numbers: 10 layers, 20 allreduces, 1000 numbers of 2 bytes; a plain step computes for 1 ms, a verify
// pass for 2 ms, a draft step for 0.1 ms.
inline SpecScenario small_scenario() {
  SpecScenario scenario;
  scenario.name = "small";
  scenario.model.name = "small";
  scenario.model.layers = 10;
  scenario.model.hidden = 1000;
  scenario.model.allreduces = 20;
  scenario.parallel = {.tp = 4, .ep = 4};
  scenario.speculation = {.algorithm = "chain", .steps = 3, .top_k = 1, .draft_tokens = 4, .batch = 1};
  return scenario;
}

inline ComputeTimes small_compute() {
  return {.plain_ns = {.value = 1e6}, .verify_ns = {.value = 2e6}, .draft_ns = {.value = 1e5}};
}

// Every allreduce takes as long.
inline Communication constant_calls(double call_ns, const std::string& name = "constant") {
  Communication communication;
  communication.strategy = name;
  communication.allreduce = CallTimes([call_ns](Bytes) { return call_ns; });
  communication.alltoall = communication.allreduce;
  return communication;
}

}  // namespace ringside::test
