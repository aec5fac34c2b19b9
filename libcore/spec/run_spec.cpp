#include "spec/run_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/units.hpp"
#include "spec/decision.hpp"
#include "spec/inputs.hpp"
#include "spec/memory.hpp"
#include "spec/outlook.hpp"
#include "spec/speed_estimate.hpp"
#include "spec/speed_pairs.hpp"
#include "spec/story.hpp"
#include "spec/what_decides.hpp"

namespace ringside {
namespace {

void add_note(Document& document, const FindingKind& kind, const std::string& subject, std::string message,
              std::vector<std::string> evidence = {}, std::string remedy = "") {
  add_finding(document, {.kind = kind,
                         .severity = kind.severity,
                         .subject = subject,
                         .message = std::move(message),
                         .evidence = std::move(evidence),
                         .remedy = std::move(remedy)});
}

void note_story(const SpecScenario& scenario, const Story& story, Document& document) {
  const SpecExplanation& length = story.explanations.front();
  const double observed = scenario.observed.spec_tokens_s->value;
  const std::string message =
      story.consistent
          ? fmt::format(
                "the reported {:g} tok/s are explained by an acceptance length of {:.1f} ({:.1f} to {:.1f})",
                observed, length.value, length.range->low, length.range->high)
          : fmt::format(
                "no possible acceptance length explains the reported {:g} tok/s: it would have to be {:.1f} "
                "to {:.1f}, and lies between 1 and {}",
                observed, length.range->low, length.range->high, scenario.speculation.drafts() + 1);
  add_note(document,
           story.consistent ? finding_kind("observed-consistent") : finding_kind("observed-inconsistent"),
           scenario.name, message, story.evidence);
}

void note_memory(const SpecResult& result, Document& document) {
  constexpr double kGib = 1073741824.0;
  for (const SpecMemory& memory : result.memory) {
    if (memory.kv_pool_bytes > 0) continue;
    add_note(document, finding_kind("no-room-for-kv"), memory.layout,
             fmt::format("with {} the weights leave no room for a KV pool: the server ends out of memory",
                         memory.layout),
             {fmt::format("{:.1f} GiB are free after weights, {:.1f} GiB less than the memory fraction "
                          "keeps aside",
                          memory.free_bytes / kGib, -memory.kv_pool_bytes / kGib)},
             memory.least_fraction < 1
                 ? fmt::format("a memory fraction above {:.3f}, or fewer weights on each GPU",
                               memory.least_fraction)
                 : "no memory fraction helps: more GPUs, or weights of fewer bits");
  }
}

void note_observations(const SpecEstimate& estimate, Document& document) {
  for (const SpecObserved& observed : estimate.observations) {
    if (observed.used || observed.reason.empty() || observed.reason == kLengthUnknown) continue;
    add_note(document, finding_kind("impossible-speed"), observed.source,
             fmt::format("{}: {:g} tok/s can't be: {}; it is shown and not used, and the verdict is open",
                         observed.source, observed.tokens_s, observed.reason));
  }
  for (const SpecMeasured& pair : estimate.measured) {
    if (pair.ratio) continue;
    add_note(document, finding_kind("not-comparable"), pair.speculative_source,
             fmt::format("not comparable: {} ({} and {})", pair.reason, pair.speculative_source,
                         pair.plain_source));
  }
}

// What the model says by the plain speeds alone, beside the pair that was measured.
void compare_with_model(const Inquiry& inquiry, const SpecEstimate& estimate, SpecResult& result,
                        Document& document) {
  const SpecMeasured* pair = binding_pair(inquiry, estimate.measured, asked_point(inquiry));
  if (pair == nullptr || !inquiry.acceptance) return;
  Inquiry plain = inquiry;
  std::erase_if(plain.observations,
                [](const ObservedReading& observed) { return observed.reading.speculative; });
  const StepPoint point = asked_point(inquiry);
  const SpeedUp up = calibrate(plain).speed_up(point, inquiry.acceptance->acceptance);
  if (!up.speedup) return;
  const SpecRange model = *judge_speed(plain, up, {}).speedup;
  const std::string said = fmt::format("from the plain speed alone the model has {}, measured are {:.2f}x",
                                       ratio_text(model), pair->ratio->median);
  result.decides.push_back(said);
  if (model.low <= pair->ratio->median && pair->ratio->median <= model.high) return;
  add_note(document, finding_kind("model-disagrees"), result.scenario, said,
           {up.slow.speedup ? fmt::format("its slow path (verify steps without CUDA graphs) has {}",
                                          ratio_text(range_of(*up.slow.speedup)))
                            : "its slow path is not known"},
           "the measured speeds decide; look whether the server keeps its CUDA graphs when it speculates");
}

SpecResult start_result(const Inquiry& inquiry, const SpecPlace& place, const Document& document) {
  const SpecScenario& scenario = inquiry.scenario;
  SpecResult result = document.spec.value_or(SpecResult{});
  result.scenario = scenario.name;
  result.title = scenario.title;
  result.machine = place.machine;
  result.inputs = list_inputs(inquiry);
  if (!inquiry.facts) return result;
  result.model = scenario.model.name;
  result.allreduces = scenario.parallel.tp > 1 ? allreduce_calls(scenario, place.baseline.communication) : 0;
  result.verify_message = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  result.plain_message = message_bytes(scenario.model, scenario.speculation.batch);
  result.memory = memory_by_layout(scenario, *inquiry.facts, place.memory_gib);
  return result;
}

void judge_candidates(const Inquiry& inquiry, const SpecPlace& place, const Posterior& posterior,
                      std::vector<Communication> candidates, SpecResult& result, Document& document) {
  const Communication& baseline = place.baseline.communication;
  if (place.baseline.own) candidates.push_back(baseline);
  const bool alltoall = std::ranges::any_of(
      candidates, [](const Communication& candidate) { return !candidate.alltoall.empty(); });
  const StepSheet sheet(inquiry, posterior, baseline, alltoall && baseline.alltoall.empty());
  for (const Communication& communication : candidates) {
    result.candidates.push_back(judge_candidate(sheet, inquiry.acceptance, communication));
    for (SpecCurve& curve : candidate_curves(sheet, inquiry.acceptance, communication))
      result.curves.push_back(std::move(curve));
  }
  const SpecScenario& scenario = inquiry.scenario;
  const auto story = explain_observed(sheet, baseline, range_of(posterior.step_ms(asked_point(inquiry))));
  result.decides = what_decides(inquiry, place, result);
  if (!story) return;
  result.explanations = story->explanations;
  result.decides.insert(result.decides.end(), story->evidence.begin(), story->evidence.end());
  note_story(scenario, *story, document);
}

void note_recommendation(SpecResult& result, Document& document) {
  SpecEstimate& estimate = *result.estimate;
  result.recommendation = estimate.decision;
  result.confidence = estimate.rests_on;
  if (!estimate.missing.empty()) result.confidence += "; " + estimate.missing;
  add_note(document, finding_kind("recommendation"), result.scenario, result.recommendation,
           {result.confidence});
}

}  // namespace

void answer_spec(Inquiry inquiry, const SpecPlace& place, std::vector<Communication> candidates,
                 Document& document) {
  inquiry.workload.allreduce = place.baseline.times;
  SpecResult result = start_result(inquiry, place, document);
  std::optional<Posterior> posterior;
  if (inquiry.facts) posterior.emplace(calibrate(inquiry));
  SpecEstimate estimate = estimate_speeds(inquiry, posterior ? &*posterior : nullptr);
  say_decision(inquiry, posterior ? &*posterior : nullptr, estimate);
  if (posterior) {
    judge_candidates(inquiry, place, *posterior, std::move(candidates), result, document);
    compare_with_model(inquiry, estimate, result, document);
    std::optional<Acceptance> acceptance;
    if (inquiry.acceptance) acceptance = inquiry.acceptance->acceptance;
    const std::vector<std::string> doubts = posterior->speed_up(asked_point(inquiry), acceptance).doubts;
    if (!doubts.empty() && estimate.certainty != "measured")
      result.decides.push_back("never firm here: " + join(doubts, "; "));
    if (auto sick = note_slow_allreduce(inquiry, place, document); !sick.empty())
      result.decides.insert(result.decides.begin(), std::move(sick));
    note_memory(result, document);
  } else {
    add_note(document, finding_kind("no-model"), "speculation",
             "no option names the model, so only what was measured is answered", {},
             "--from-config config.json, or a scenario (ringside list specs)");
  }
  note_observations(estimate, document);
  result.estimate = std::move(estimate);
  note_recommendation(result, document);
  document.spec = std::move(result);
}

}  // namespace ringside
