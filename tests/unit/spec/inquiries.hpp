#pragma once

#include "spec/inquiry.hpp"
#include "spec/known_acceptance.hpp"
#include "spec/model_shape.hpp"
#include "spec/weights.hpp"

namespace ringside::test {

// A question about a dense model of 70B numbers on two H200, a chain of three drafts.
inline Inquiry dense_inquiry(int batch = 1, std::optional<double> length = 2.5) {
  Inquiry inquiry;
  inquiry.scenario = find_spec_scenario(
      "llama-3-70b-eagle", {"speculation.steps=3", "speculation.top_k=1", "speculation.draft_tokens=4",
                            "acceptance.length=2", "speculation.batch=" + std::to_string(batch)});
  inquiry.facts = facts_of(inquiry.scenario.model);
  inquiry.workload.model = *inquiry.facts;
  inquiry.workload.layout = serving_layout(inquiry.scenario.parallel, Layout::tp);
  inquiry.workload.draft.kind = DraftKind::eagle;
  inquiry.workload.gpu = "h200_sxm";
  AcceptanceInput input;
  if (length) input.length = Quantity{.value = *length, .origin = Origin::measured};
  inquiry.acceptance = acceptance_of(input, 3);
  return inquiry;
}

inline ObservedReading observed(double batch, double tokens_s, int drafts = 0,
                                std::optional<double> length = {}) {
  SpeedReading reading;
  reading.source = drafts > 0 ? "spec.log" : "plain.log";
  reading.speculative = drafts > 0;
  reading.batch = batch;
  reading.tokens_s = tokens_s;
  reading.windows = 12;
  reading.spread = Interval{tokens_s * 0.98, tokens_s * 1.02};
  reading.settled = true;
  reading.length = length;
  if (drafts > 0) reading.arguments.draft_steps = drafts;
  return {reading, Origin::measured};
}

}  // namespace ringside::test
