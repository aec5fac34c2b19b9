#pragma once

#include "machine/profile.hpp"
#include "spec/acceptance.hpp"
#include "spec/communication.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// Time of a step without its communication. What the scenario doesn't give is modelled: the plain step from
// the observed throughput less its communication, or from the bytes that a rank reads; other numbers of
// tokens in proportion to the bytes read.
struct ComputeTimes {
  Quantity plain_ns;
  Quantity verify_ns;
  Quantity draft_ns;  // of one draft step

  // With every quantity at the low (false) or high (true) end of its range.
  ComputeTimes at_end(bool high) const;
};

// `baseline`: what the observed plain server communicates with.
ComputeTimes find_compute(const SpecScenario& scenario, const MachineProfile& machine,
                          const Communication& baseline);

// Speculative decoding in closed form. All sequences of the batch go through the same steps; communication
// and compute don't overlap, as they don't inside a layer.
class StepModel {
 public:
  StepModel(const SpecScenario& scenario, Acceptance acceptance, ComputeTimes compute)
      : scenario_(scenario), acceptance_(std::move(acceptance)), compute_(std::move(compute)) {}

  const Acceptance& acceptance() const { return acceptance_; }

  // Draft levels behind a verify pass over so many tokens of a sequence: a tree stays as wide as it is.
  int levels(int draft_tokens) const;

  double compute_ns(Layout layout, std::int64_t tokens) const;
  double plain_step_ns(const Communication& communication) const;
  double verify_ns(const Communication& communication, int draft_tokens) const;
  double draft_ns(const Communication& communication, int draft_tokens) const;  // all draft steps
  double step_ns(const Communication& communication, int draft_tokens) const;   // draft steps and verify pass

  // Tokens a second of the whole batch. A draft of one token is no speculation: the plain step.
  double plain_tokens_s(const Communication& communication) const;
  double tokens_s(const Communication& communication, int draft_tokens) const;

 private:
  const SpecScenario& scenario_;
  Acceptance acceptance_;
  ComputeTimes compute_;
};

}  // namespace ringside
