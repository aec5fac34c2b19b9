#include "spec/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "base/units.hpp"
#include "spec/measure_next.hpp"
#include "spec/speed_pairs.hpp"

namespace ringside {
namespace {

std::string rate(double tokens_s) {
  return format_three_digits(tokens_s) + " tok/s";
}

std::string drafts_text(int drafts) {
  return fmt::format("{} draft{}", drafts, drafts == 1 ? "" : "s");
}

std::string point_text(const SpecEstimate& estimate) {
  return fmt::format("{} at batch {}, context {}, {}", drafts_text(estimate.drafts), estimate.batch,
                     format_size({static_cast<std::uint64_t>(estimate.context)}), estimate.layout);
}

// "1 in 10: 0.61x, a server that loses its CUDA graphs".
std::string slow_text(const SpecSlowPath& slow) {
  if (slow.probability < 0.005) return "";
  const std::string how = slow.speedup ? fmt::format(": {:.2f}x", slow.speedup->median) : "";
  const std::string share = slow.probability > 0.5 ? fmt::format("{:.0f} %", 100 * slow.probability)
                                                   : fmt::format("1 in {:.0f}", 1 / slow.probability);
  return fmt::format("; {}{} (verify steps without CUDA graphs)", share, how);
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * std::clamp(share, 0.01, 0.99));
}

// Without a model, where the two speeds of a point were not measured.
std::string single_sentence(const SpecEstimate& estimate) {
  const auto here = std::ranges::find_if(estimate.observations, [&](const SpecObserved& observed) {
    return observed.used && std::lround(observed.batch) == estimate.batch;
  });
  if (here == estimate.observations.end()) return "open: no speed was measured, and the model is not known";
  return fmt::format(
      "measured here at batch {:g}: {} {} speculation; open: nothing says what the server does {}",
      here->batch, rate(here->tokens_s), here->speculative ? "with" : "without",
      here->speculative ? "without" : "with it");
}

std::string model_sentence(const SpecEstimate& estimate) {
  if (!estimate.speedup) {
    if (!estimate.break_even_length) return single_sentence(estimate);
    const SpecRange& even = *estimate.break_even_length;
    const double most = estimate.drafts + 1;
    std::string text = fmt::format(
        "open: acceptance is not known; {} pay{} from {:.2f} tokens a step on ({:.2f} to {:.2f}), of {:.0f} "
        "at most",
        point_text(estimate), estimate.drafts == 1 ? "s" : "", even.median, even.low, even.high, most);
    if (even.low > most)
      text = fmt::format(
          "open: acceptance is not known; {} would need {:.2f} tokens a step ({:.2f} to {:.2f}) "
          "and give {:.0f} at most",
          point_text(estimate), even.median, even.low, even.high, most);
    return text;
  }
  const std::string numbers = fmt::format("{} with {}; pays with {}", ratio_text(*estimate.speedup),
                                          point_text(estimate), percent(estimate.pays.value_or(0.5)));
  const std::string slow = estimate.slow_path ? slow_text(*estimate.slow_path) : "";
  if (estimate.verdict == "open") return fmt::format("open: {}{}", numbers, slow);
  return fmt::format("{} ({}): {}{}", estimate.verdict == "pays" ? "speculate" : "don't speculate",
                     estimate.certainty, numbers, slow);
}

std::string measured_verdict(const SpecEstimate& estimate) {
  if (estimate.verdict == "pays") return "it pays";
  if (estimate.verdict == "loses") return "it loses";
  return "neither is faster beyond the spread";
}

Origin origin_of(const Inquiry& inquiry, const SpecMeasured& pair) {
  for (const ObservedReading& observed : inquiry.observations) {
    if (observed.reading.source == pair.speculative_source) return observed.origin;
  }
  return Origin::measured;
}

// "12 windows of SGLang; model ..."
std::string rests_on(const Inquiry& inquiry, const Posterior* posterior, const SpecEstimate& estimate) {
  std::vector<std::string> parts;
  if (estimate.certainty == "measured") {
    const SpecMeasured* pair = binding_pair(inquiry, estimate.measured, asked_point(inquiry));
    parts.push_back(fmt::format("{} and {}", pair->speculative_source, pair->plain_source));
  }
  int used = 0;
  for (const SpecObserved& observed : estimate.observations) used += observed.used ? 1 : 0;
  parts.push_back(estimate.acceptance);
  if (estimate.plain_tokens_s) {
    parts.push_back(
        used > 0 ? fmt::format("a step model calibrated with {} observed speed{}", used, used == 1 ? "" : "s")
                 : "a step model, nothing observed");
  }
  if (posterior != nullptr && used > 0 && posterior->slow_probability() > 0.5)
    parts.emplace_back(
        "what was observed fits verify steps without CUDA graphs, and the numbers are of such");
  for (const std::string& assumption : inquiry.assumptions) parts.push_back(assumption);
  return "rests on: " + join(parts, "; ");
}

bool graphs_shown(const Inquiry& inquiry, const SpecEstimate& estimate) {
  if (inquiry.workload.graphs_proven) return true;
  return std::ranges::any_of(inquiry.observations, [&](const ObservedReading& observed) {
    const SpeedReading& reading = observed.reading;
    return reading.speculative && reading.graph.value_or(false) && reading.batch &&
           std::lround(*reading.batch) >= estimate.batch;
  });
}

std::string missing(const Inquiry& inquiry, const SpecEstimate& estimate) {
  std::vector<std::string> gaps;
  if (!inquiry.facts)
    gaps.emplace_back("the model: give --from-config config.json for other batches, drafts and layouts");
  if (!inquiry.acceptance) gaps.emplace_back("the acceptance length");
  if (!inquiry.drafts_known && !inquiry.facts)
    gaps.push_back(fmt::format("the number of drafts ({} taken; --drafts N)", estimate.drafts));
  if (estimate.certainty != "measured" && inquiry.facts && !graphs_shown(inquiry, estimate))
    gaps.push_back(fmt::format("proof that verify steps of {} rows run in CUDA graphs",
                               estimate.batch * inquiry.scenario.speculation.draft_tokens));
  if (!estimate.not_understood.empty())
    gaps.push_back(fmt::format("{} of the model's keys {} not understood", estimate.not_understood.size(),
                               estimate.not_understood.size() == 1 ? "is" : "are"));
  std::string text = gaps.empty() ? "" : "missing: " + join(gaps, "; ");
  if (!estimate.next.empty()) text += (text.empty() ? "next: " : ". Next: ") + estimate.next;
  return text;
}

}  // namespace

std::string ratio_text(const SpecRange& range) {
  return fmt::format("{:.2f}x ({:.2f} to {:.2f})", range.median, range.low, range.high);
}

std::string pair_text(const SpecMeasured& pair, Origin origin) {
  if (!pair.ratio) return "not comparable: " + pair.reason;
  return fmt::format("{} at batch {:g}: {} with, {} without: {}",
                     origin == Origin::measured ? "measured here" : std::string(to_string(origin)),
                     pair.batch, rate(pair.speculative_tokens_s), format_three_digits(pair.plain_tokens_s),
                     ratio_text(*pair.ratio));
}

void say_decision(const Inquiry& inquiry, const Posterior* posterior, SpecEstimate& estimate) {
  std::vector<Uncertainty> uncertainties;
  if (posterior != nullptr) {
    std::optional<Acceptance> acceptance;
    if (inquiry.acceptance) acceptance = inquiry.acceptance->acceptance;
    const StepPoint point = asked_point(inquiry);
    uncertainties = posterior->uncertainties(point, acceptance);
  }
  const NextMeasurement next = next_measurement(inquiry, estimate, uncertainties);
  estimate.next = next.sentence;
  estimate.commands = commands_to_measure(inquiry, estimate, next.run);
  const SpecMeasured* pair = binding_pair(inquiry, estimate.measured, asked_point(inquiry));
  if (pair != nullptr) {
    estimate.decision =
        fmt::format("{}: {}", pair_text(*pair, origin_of(inquiry, *pair)), measured_verdict(estimate));
  } else if (!estimate.measured.empty()) {
    const SpecMeasured& other = estimate.measured.front();
    estimate.decision = pair_text(other, origin_of(inquiry, other)) + "; " + model_sentence(estimate);
  } else {
    estimate.decision = model_sentence(estimate);
  }
  estimate.rests_on = rests_on(inquiry, posterior, estimate);
  estimate.missing = missing(inquiry, estimate);
}

}  // namespace ringside
