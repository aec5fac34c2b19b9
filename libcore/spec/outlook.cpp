#include "spec/outlook.hpp"

#include <algorithm>
#include <cmath>

namespace ringside {
namespace {

constexpr double kUs = 1000;
constexpr double kTieMargin = 0.01;  // two ways that are closer are a tie

// All calls of the target that a verify pass makes, whatever they are.
double verify_calls(const SpecScenario& scenario, const Communication& communication) {
  const double alltoalls = communication.alltoall.empty() ? 0 : 2.0 * scenario.model.moe_layers;
  return allreduce_calls(scenario, communication) + alltoalls;
}

double verify_communication_ns(const StepSheet& sheet, const Communication& communication) {
  return forward_ns(sheet.scenario(), communication, sheet.scenario().speculation.verify_tokens());
}

// The time of an allreduce of the verify pass with which the speculative server is as fast as the plain one:
// the step may take as long as its tokens take there.
std::optional<double> break_even_call_ns(const StepSheet& sheet, const Communication& communication,
                                         double length) {
  const int drafts = sheet.scenario().speculation.drafts();
  const double allowed = length * sheet.step_ns(communication, 0);
  const double others = sheet.step_ns(communication, drafts) - verify_communication_ns(sheet, communication);
  const double calls = verify_calls(sheet.scenario(), communication);
  if (allowed <= others || calls <= 0) return std::nullopt;
  return (allowed - others) / calls;
}

// When every call of the step, drafts included, takes 1 us less.
double tokens_s_per_us(const StepSheet& sheet, const Communication& communication, double tokens_s) {
  const SpeculationShape& shape = sheet.scenario().speculation;
  const double step = sheet.step_ns(communication, shape.drafts());
  const double calls = verify_calls(sheet.scenario(), communication) +
                       (sheet.scenario().parallel.tp > 1 ? shape.drafts() * shape.draft_allreduces : 0);
  const double saved = kUs * calls;
  return saved < step ? tokens_s * step / (step - saved) - tokens_s : 0;
}

void choose_drafts(const StepSheet& sheet, const Acceptance& acceptance, const Communication& communication,
                   SpecCandidate& candidate) {
  candidate.best_draft_tokens = 1;
  candidate.best_tokens_s = candidate.plain_tokens_s;
  for (const int drafts : sheet.drafts()) {
    if (drafts == 0) continue;
    const double rate = sheet.tokens_s(communication, drafts, acceptance.tokens(drafts));
    const double band = std::max(kTieMargin, std::expm1(acceptance.sigma(drafts)));
    if (rate <= *candidate.best_tokens_s * (1 + band)) continue;
    candidate.best_tokens_s = rate;
    const SpeculationShape& shape = sheet.scenario().speculation;
    candidate.best_draft_tokens = shape.top_k > 1 ? shape.draft_tokens : drafts + 1;
  }
}

}  // namespace

SpecCandidate judge_candidate(const StepSheet& sheet, const std::optional<KnownAcceptance>& acceptance,
                              const Communication& communication) {
  const SpecScenario& scenario = sheet.scenario();
  const int drafts = scenario.speculation.drafts();
  SpecCandidate candidate;
  candidate.strategy = communication.strategy;
  candidate.layout = to_string(communication.layout);
  candidate.mode = communication.mode;
  candidate.origin = communication.origin;
  const auto call_ns = [&](std::int64_t tokens) {
    return communication.allreduce.at(message_bytes(scenario.model, tokens)) * communication.stretch(tokens);
  };
  candidate.call_ns = call_ns(scenario.speculation.verify_tokens());
  candidate.plain_call_ns = call_ns(scenario.speculation.batch);
  candidate.communication_ns = sheet.communication_ns(communication, drafts);
  candidate.verify_ns = sheet.verify_ns(communication, drafts);
  candidate.step_ns = sheet.step_ns(communication, drafts);
  candidate.plain_step_ns = sheet.step_ns(communication, 0);
  candidate.plain_tokens_s = sheet.tokens_s(communication, 0, 1);
  candidate.break_even_length = candidate.step_ns / candidate.plain_step_ns;
  if (!acceptance) return candidate;
  const double length = acceptance->acceptance.tokens(drafts);
  candidate.tokens_s = sheet.tokens_s(communication, drafts, length);
  candidate.break_even_call_ns = break_even_call_ns(sheet, communication, length);
  candidate.tokens_s_per_us = tokens_s_per_us(sheet, communication, *candidate.tokens_s);
  choose_drafts(sheet, acceptance->acceptance, communication, candidate);
  return candidate;
}

std::vector<SpecCurve> candidate_curves(const StepSheet& sheet,
                                        const std::optional<KnownAcceptance>& acceptance,
                                        const Communication& communication) {
  const int drafts = sheet.scenario().speculation.drafts();
  const std::string mode(to_string(communication.mode));
  SpecCurve length{communication.strategy, mode, "acceptance_length", "tokens_s", {}};
  constexpr int kPerToken = 4;
  for (int i = 0; i <= drafts * kPerToken; ++i) {
    const double accepted = 1 + static_cast<double>(i) / kPerToken;
    length.points.emplace_back(accepted, sheet.tokens_s(communication, drafts, accepted));
  }
  if (!acceptance) return {std::move(length)};
  SpecCurve tokens{communication.strategy, mode, "draft_tokens", "tokens_s", {}};
  for (const int count : sheet.drafts()) {
    const double rate = sheet.tokens_s(communication, count, acceptance->acceptance.tokens(count));
    tokens.points.emplace_back(count + 1, rate);
  }
  // The verify pass with calls of any speed, the rest as it is.
  SpecCurve call{communication.strategy, mode, "call_us", "tokens_s", {}};
  const double calls = verify_calls(sheet.scenario(), communication);
  const double others = sheet.step_ns(communication, drafts) - verify_communication_ns(sheet, communication);
  const double accepted = acceptance->acceptance.tokens(drafts);
  for (const double us : {0., 1., 2., 5., 10., 20., 30., 50., 75., 100., 150., 200., 300.})
    call.points.emplace_back(us, sheet.batch() * accepted / (others + calls * us * kUs) * 1e9);
  return {std::move(tokens), std::move(length), std::move(call)};
}

}  // namespace ringside
