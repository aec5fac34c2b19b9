#include "spec/what_decides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "base/units.hpp"

namespace ringside {
namespace {

constexpr double kTieMargin = 0.01;
constexpr double kFar = 1.5;  // times that a call takes what is published

std::string rate(double tokens_s) {
  return format_three_digits(tokens_s) + " tok/s";
}

std::string break_even(const std::vector<SpecCandidate>& candidates) {
  const auto [low, high] = std::ranges::minmax_element(candidates, {}, &SpecCandidate::break_even_length);
  if (low->strategy == high->strategy)
    return fmt::format("acceptance length to break even: {:.2f}", low->break_even_length);
  return fmt::format("acceptance length to break even: {:.2f} with {}, {:.2f} with {}",
                     low->break_even_length, low->strategy, high->break_even_length, high->strategy);
}

const SpecCandidate& fastest(const std::vector<SpecCandidate>& candidates) {
  return *std::ranges::max_element(candidates, {}, [](const SpecCandidate& candidate) {
    return candidate.tokens_s.value_or(candidate.plain_tokens_s);
  });
}

std::string call_needed(const SpecCandidate& candidate, int drafts) {
  const std::string with = fmt::format("with {} draft{}", drafts, drafts == 1 ? "" : "s");
  if (!candidate.break_even_call_ns) {
    return fmt::format(
        "{} and the present acceptance no allreduce is fast enough: even a free one loses with {}", with,
        candidate.strategy);
  }
  return fmt::format(
      "{} speculation pays while a call of the verify pass takes less than {} us ({} takes {} us)", with,
      format_three_digits(*candidate.break_even_call_ns / 1000), candidate.strategy,
      format_three_digits(candidate.call_ns / 1000));
}

std::string best_drafts(const std::vector<SpecCandidate>& candidates) {
  std::map<int, std::vector<std::string>> by_count;
  for (const SpecCandidate& candidate : candidates) {
    if (candidate.best_draft_tokens) by_count[*candidate.best_draft_tokens].push_back(candidate.strategy);
  }
  std::vector<std::string> parts;
  for (const auto& [count, names] : by_count) {
    const std::string what = count == 1 ? "0 (no speculation)" : fmt::format("{}", count - 1);
    const std::string who =
        names.size() <= 2 ? join(names, ", ") : fmt::format("{} and {} more", names[0], names.size() - 1);
    parts.push_back(by_count.size() == 1 ? what + " with all of them" : fmt::format("{} with {}", what, who));
  }
  return "best number of drafts: " + join(parts, ", ");
}

// The best of the layouts.
std::string experts(const std::vector<SpecCandidate>& candidates) {
  const SpecCandidate* tp = nullptr;
  const SpecCandidate* ep = nullptr;
  const auto speed = [](const SpecCandidate& candidate) {
    return candidate.tokens_s.value_or(candidate.plain_tokens_s);
  };
  for (const SpecCandidate& candidate : candidates) {
    const SpecCandidate*& best = candidate.layout == "tp" ? tp : ep;
    if (best == nullptr || speed(candidate) > speed(*best)) best = &candidate;
  }
  if (tp == nullptr || ep == nullptr) return "";
  const double ratio = speed(*ep) / speed(*tp);
  const char* verdict = ratio > 1 + kTieMargin   ? "pays"
                        : ratio < 1 - kTieMargin ? "does not pay"
                                                 : "makes no difference";
  return fmt::format("expert parallelism {}, by the medians: {} ({}) against {} ({}) with tensor parallelism",
                     verdict, rate(speed(*ep)), ep->strategy, rate(speed(*tp)), tp->strategy);
}

}  // namespace

std::vector<std::string> what_decides(const Inquiry& inquiry, const SpecPlace&, const SpecResult& result) {
  if (result.candidates.empty()) return {};
  std::vector<std::string> decides = {break_even(result.candidates)};
  const SpecCandidate& best = fastest(result.candidates);
  if (inquiry.acceptance) {
    decides.push_back(call_needed(best, inquiry.scenario.speculation.drafts()));
    decides.push_back(best_drafts(result.candidates));
    decides.push_back(
        fmt::format("1 us less per call is worth {} with {}", rate(*best.tokens_s_per_us), best.strategy));
  }
  if (const std::string text = experts(result.candidates); !text.empty()) decides.push_back(text);
  return decides;
}

std::string note_slow_allreduce(const Inquiry& inquiry, const SpecPlace& place, Document& document) {
  const SpecScenario& scenario = inquiry.scenario;
  const CollectiveTimes published = published_allreduce(inquiry.workload.gpu, scenario.parallel.tp);
  if (!published || !place.baseline.own || scenario.parallel.tp == 1) return "";
  const Bytes message = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  const double here = place.baseline.communication.allreduce.at(message) / 1000;
  const double there = published.at_us(static_cast<double>(message.count));
  if (there <= 0 || here <= kFar * there) return "";
  const std::string text = fmt::format(
      "an allreduce of {} takes {} us {}; published for {} GPUs of this kind: {} us ({}): {:.1f} times that, "
      "if both are wired alike",
      format_size(message), format_three_digits(here),
      place.baseline.communication.origin == Origin::reported ? "as reported" : "as measured",
      scenario.parallel.tp, format_three_digits(there), published.source, here / there);
  add_finding(document, {.kind = finding_kind("slower-than-published"),
                         .severity = Severity::note,  // it stands among what decides
                         .subject = place.baseline.communication.strategy,
                         .message = text,
                         .evidence = {},
                         .remedy = "look for what makes such calls slow: peer access off, a wrong NCCL_* "
                                   "setting, PCIe ACS or a translating IOMMU, verify steps without CUDA "
                                   "graphs; measure with probe-comm"});
  return text;
}

}  // namespace ringside
