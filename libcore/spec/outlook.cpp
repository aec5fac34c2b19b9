#include "spec/outlook.hpp"

#include <algorithm>

namespace ringside {
namespace {

constexpr double kUs = 1000;

// All calls of the target that a verify pass makes, whatever they are.
double verify_calls(const SpecScenario& scenario, const Communication& communication) {
  const double alltoalls = communication.layout == Layout::ep ? 2.0 * scenario.model.moe_layers : 0;
  return allreduce_calls(scenario.model, communication.layout) + alltoalls;
}

// The time of an allreduce of the verify pass with which the speculative server is as fast as the plain one:
// the step may take as long as its tokens take there.
std::optional<double> break_even_call_ns(const SpecScenario& scenario, const StepModel& model,
                                         const Communication& communication) {
  const int draft_tokens = scenario.speculation.draft_tokens;
  const double allowed =
      model.acceptance().tokens(model.levels(draft_tokens)) * model.plain_step_ns(communication);
  const double others =
      model.step_ns(communication, draft_tokens) -
      forward_ns(scenario, communication, std::int64_t{scenario.speculation.batch} * draft_tokens);
  const double calls = verify_calls(scenario, communication);
  if (allowed <= others || calls <= 0) return std::nullopt;
  return (allowed - others) / calls;
}

// When every call of the step, drafts included, takes 1 us less.
double tokens_s_per_us(const SpecScenario& scenario, const StepModel& model,
                       const Communication& communication) {
  const int draft_tokens = scenario.speculation.draft_tokens;
  const double step = model.step_ns(communication, draft_tokens);
  const double saved = kUs * (verify_calls(scenario, communication) +
                              model.levels(draft_tokens) * scenario.speculation.draft_allreduces);
  const double tokens = model.tokens_s(communication, draft_tokens);
  return saved < step ? tokens * step / (step - saved) - tokens : 0;
}

}  // namespace

SpecCandidate judge_candidate(const SpecScenario& scenario, const StepModel& model,
                              const Communication& communication) {
  const SpeculationShape& shape = scenario.speculation;
  const int draft_tokens = shape.draft_tokens;
  SpecCandidate candidate;
  candidate.strategy = communication.strategy;
  candidate.layout = to_string(communication.layout);
  candidate.mode = communication.mode;
  candidate.origin = communication.origin;
  const auto call_ns = [&](std::int64_t tokens) {
    return communication.allreduce.at(message_bytes(scenario.model, tokens)) * communication.stretch(tokens);
  };
  candidate.call_ns = call_ns(shape.verify_tokens());
  candidate.plain_call_ns = call_ns(shape.batch);
  candidate.communication_ns = forward_ns(scenario, communication, shape.verify_tokens()) +
                               model.levels(draft_tokens) * draft_step_ns(scenario, communication);
  candidate.verify_ns = model.verify_ns(communication, draft_tokens);
  candidate.step_ns = model.step_ns(communication, draft_tokens);
  candidate.plain_step_ns = model.plain_step_ns(communication);
  candidate.tokens_s = model.tokens_s(communication, draft_tokens);
  candidate.plain_tokens_s = model.plain_tokens_s(communication);
  candidate.break_even_length = candidate.step_ns / candidate.plain_step_ns;
  candidate.break_even_call_ns = break_even_call_ns(scenario, model, communication);
  candidate.best_tokens_s = candidate.tokens_s;
  candidate.best_draft_tokens = draft_tokens;
  for (int tokens = 1; tokens <= kMostDraftTokens; ++tokens) {
    const double rate = model.tokens_s(communication, tokens);
    if (rate <= std::max(candidate.best_tokens_s, candidate.tokens_s * (1 + kTieMargin))) continue;
    candidate.best_tokens_s = rate;
    candidate.best_draft_tokens = tokens;
  }
  candidate.tokens_s_per_us = tokens_s_per_us(scenario, model, communication);
  return candidate;
}

std::vector<SpecCurve> candidate_curves(const SpecScenario& scenario, const StepModel& model,
                                        const Communication& communication) {
  const int draft_tokens = scenario.speculation.draft_tokens;
  const std::string mode(to_string(communication.mode));
  SpecCurve tokens{communication.strategy, mode, "draft_tokens", "tokens_s", {}};
  for (int count = 1; count <= kMostDraftTokens; ++count)
    tokens.points.emplace_back(count, model.tokens_s(communication, count));

  SpecCurve length{communication.strategy, mode, "acceptance_length", "tokens_s", {}};
  const double step = model.step_ns(communication, draft_tokens);
  const int levels = model.levels(draft_tokens);
  constexpr int kPerToken = 4;
  for (int i = 0; i <= levels * kPerToken; ++i) {
    const double accepted = 1 + static_cast<double>(i) / kPerToken;
    length.points.emplace_back(accepted, scenario.speculation.batch * accepted / step * 1e9);
  }

  // The verify pass with calls of any speed, the rest as it is.
  SpecCurve call{communication.strategy, mode, "call_us", "tokens_s", {}};
  const double calls = verify_calls(scenario, communication);
  const double others =
      step - forward_ns(scenario, communication, std::int64_t{scenario.speculation.batch} * draft_tokens);
  const double accepted = model.acceptance().tokens(levels);
  for (const double us : {0., 1., 2., 5., 10., 20., 30., 50., 75., 100., 150., 200., 300.}) {
    call.points.emplace_back(us, scenario.speculation.batch * accepted / (others + calls * us * kUs) * 1e9);
  }
  return {std::move(tokens), std::move(length), std::move(call)};
}

}  // namespace ringside
