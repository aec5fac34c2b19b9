#include "spec/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "spec/outlook.hpp"

namespace ringside {
namespace {

std::string name_of(const SpecCandidate& candidate) {
  return candidate.strategy;
}

std::string rate(double tokens_s) {
  return format_three_digits(tokens_s) + " tok/s";
}

const SpecCandidate& best_by(const std::vector<SpecCandidate>& candidates, double SpecCandidate::*key) {
  return *std::ranges::max_element(candidates, {}, key);
}

std::size_t index_of(const std::vector<SpecCandidate>& candidates, const SpecCandidate& candidate) {
  return static_cast<std::size_t>(&candidate - candidates.data());
}

// "1.62 to 3.1 tokens": the least and the most that the candidates need.
std::string break_even(const std::vector<SpecCandidate>& candidates, double length) {
  const auto [low, high] = std::ranges::minmax_element(candidates, {}, &SpecCandidate::break_even_length);
  return fmt::format("acceptance length to break even: {:.2f} with {}, {:.2f} with {}; present: {:.2f}",
                     low->break_even_length, name_of(*low), high->break_even_length, name_of(*high), length);
}

std::string call_needed(const SpecCandidate& candidate, int draft_tokens) {
  const double us = candidate.call_ns / 1000;
  if (!candidate.break_even_call_ns) {
    return fmt::format(
        "at {} draft tokens and the present acceptance no allreduce is fast enough: even a free one loses "
        "with {}",
        draft_tokens, name_of(candidate));
  }
  return fmt::format(
      "at {} draft tokens speculation pays while a call of the verify pass takes less than {} us ({} takes "
      "{} us)",
      draft_tokens, format_three_digits(*candidate.break_even_call_ns / 1000), name_of(candidate),
      format_three_digits(us));
}

std::string best_drafts(const std::vector<SpecCandidate>& candidates) {
  std::map<int, std::vector<std::string>> by_count;
  for (const SpecCandidate& candidate : candidates)
    by_count[candidate.best_draft_tokens].push_back(name_of(candidate));
  std::vector<std::string> parts;
  for (const auto& [count, names] : by_count) {
    const std::string what = count == 1 ? "1 (no speculation)" : fmt::format("{}", count);
    const std::string who =
        names.size() <= 2 ? join(names, ", ") : fmt::format("{} and {} more", names[0], names.size() - 1);
    parts.push_back(by_count.size() == 1 ? what + " with all of them" : fmt::format("{} with {}", what, who));
  }
  return "best number of draft tokens: " + join(parts, ", ");
}

// The best of the layouts, and what a step spends on it.
std::string experts(const std::vector<SpecCandidate>& candidates) {
  const SpecCandidate* tp = nullptr;
  const SpecCandidate* ep = nullptr;
  for (const SpecCandidate& candidate : candidates) {
    const SpecCandidate*& best = candidate.layout == "tp" ? tp : ep;
    if (best == nullptr || candidate.tokens_s > best->tokens_s) best = &candidate;
  }
  if (tp == nullptr || ep == nullptr) return "";
  const double ratio = ep->tokens_s / tp->tokens_s;
  const char* verdict = ratio > 1 + kTieMargin   ? "pays"
                        : ratio < 1 - kTieMargin ? "does not pay"
                                                 : "makes no difference";
  return fmt::format("expert parallelism {}: {} ({}) against {} ({}) with tensor parallelism", verdict,
                     rate(ep->tokens_s), ep->strategy, rate(tp->tokens_s), tp->strategy);
}

// Speculative by plain throughput of the best ways, over all corners.
Interval ratio_range(const StepModel& model, const std::vector<StepModel>& corners, const Communication& spec,
                     int draft_tokens, const Communication& plain) {
  const auto ratio = [&](const StepModel& at) {
    return at.tokens_s(spec, draft_tokens) / at.plain_tokens_s(plain);
  };
  Interval range{ratio(model), ratio(model)};
  for (const StepModel& corner : corners) {
    range.low = std::min(range.low, ratio(corner));
    range.high = std::max(range.high, ratio(corner));
  }
  return range;
}

std::string with_what(const std::string& name, const std::vector<std::string>& tied) {
  constexpr std::size_t kFew = 3;
  if (std::ranges::find(tied, name) == tied.end() || tied.size() < 2) return name;
  if (tied.size() > kFew) return fmt::format("{} (tied with {} others)", name, tied.size() - 1);
  return fmt::format("{} (tied: {})", name, join(tied, ", "));
}

}  // namespace

SpecVerdict give_verdict(const SpecScenario& scenario, const StepModel& model,
                         const std::vector<StepModel>& corners,
                         const std::vector<Communication>& communications,
                         const std::vector<SpecCandidate>& candidates, const std::vector<std::string>& tied) {
  const int present = scenario.speculation.draft_tokens;
  const SpecCandidate& spec = best_by(candidates, &SpecCandidate::tokens_s);
  const SpecCandidate& any = best_by(candidates, &SpecCandidate::best_tokens_s);
  const SpecCandidate& plain = best_by(candidates, &SpecCandidate::plain_tokens_s);
  SpecVerdict verdict;
  verdict.decides = {
      break_even(candidates, model.acceptance().tokens(model.levels(present))), call_needed(spec, present),
      best_drafts(candidates),
      fmt::format("1 us less per call is worth {} with {}", rate(spec.tokens_s_per_us), name_of(spec))};
  if (const std::string text = experts(candidates); !text.empty()) verdict.decides.push_back(text);

  // The present number of draft tokens unless another one is clearly better.
  const bool other_drafts = any.best_draft_tokens > 1 && any.best_tokens_s > spec.tokens_s * (1 + kTieMargin);
  const SpecCandidate& chosen = other_drafts ? any : spec;
  const int drafts = other_drafts ? any.best_draft_tokens : present;
  const double tokens_s = other_drafts ? any.best_tokens_s : spec.tokens_s;
  const Communication& spec_communication = communications[index_of(candidates, chosen)];
  const Communication& plain_communication = communications[index_of(candidates, plain)];
  const Interval range = ratio_range(model, corners, spec_communication, drafts, plain_communication);
  const double ratio = tokens_s / plain.plain_tokens_s;
  const std::string measured =
      fmt::format("{:.2f}x, {:.2f} to {:.2f} over what is assumed", ratio, range.low, range.high);
  const std::string spec_text =
      fmt::format("{} draft tokens over {}", drafts, with_what(name_of(chosen), tied));
  const std::string plain_text = fmt::format("plain decoding over {}", with_what(name_of(plain), tied));
  if (range.low > 1 + kTieMargin) {
    verdict.recommendation = fmt::format("speculate: {} give {} against {} of {}", spec_text, rate(tokens_s),
                                         rate(plain.plain_tokens_s), plain_text);
    verdict.confidence = "firm: it wins at every value that the inputs may have (" + measured + ")";
  } else if (range.high < 1 - kTieMargin) {
    verdict.recommendation = fmt::format("don't speculate: {} gives {}; {} give {}", plain_text,
                                         rate(plain.plain_tokens_s), spec_text, rate(tokens_s));
    verdict.confidence = "firm: speculation loses at every value that the inputs may have (" + measured + ")";
  } else {
    verdict.recommendation = fmt::format("tie: {} give {}, {} {}", spec_text, rate(tokens_s), plain_text,
                                         rate(plain.plain_tokens_s));
    verdict.confidence = "open: within what the inputs may be either wins (" + measured +
                         "); measure the acceptance length and the plain step";
  }
  return verdict;
}

}  // namespace ringside
