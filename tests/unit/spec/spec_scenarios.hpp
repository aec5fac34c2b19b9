#pragma once

#include "spec/communication.hpp"
#include "spec/scenario.hpp"

namespace ringside::test {

// Round numbers: 10 layers, 20 allreduces, 1000 numbers of 2 bytes.
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

// Every allreduce takes as long.
inline Communication constant_calls(double call_ns, const std::string& name = "constant") {
  Communication communication;
  communication.strategy = name;
  communication.allreduce = CallTimes([call_ns](Bytes) { return call_ns; });
  return communication;
}

}  // namespace ringside::test
