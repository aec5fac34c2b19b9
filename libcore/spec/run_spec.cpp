#include "spec/run_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/units.hpp"
#include "spec/inputs.hpp"
#include "spec/memory.hpp"
#include "spec/outlook.hpp"
#include "spec/story.hpp"
#include "spec/verdict.hpp"

namespace ringside {
namespace {

// What acceptance rests on: what was given, else what explains the observed throughput; with the ends of its
// range.
struct AcceptanceRange {
  Acceptance value;
  Acceptance low;
  Acceptance high;
};

AcceptanceRange from_length(const Quantity& length, int levels) {
  return {Acceptance::from_length(length.value, levels), Acceptance::from_length(length.low(), levels),
          Acceptance::from_length(length.high(), levels)};
}

AcceptanceRange find_acceptance(const SpecScenario& scenario, const std::optional<Story>& story) {
  const AcceptanceInput& input = scenario.acceptance;
  const int levels = scenario.speculation.steps;
  if (input.length) return from_length(*input.length, levels);
  if (input.rate) {
    return {Acceptance::from_rate(input.rate->value), Acceptance::from_rate(input.rate->low()),
            Acceptance::from_rate(input.rate->high())};
  }
  if (!input.rates.empty()) {
    const Acceptance listed = Acceptance::from_marginals(input.rates);
    if (!input.rates_length) return {listed, listed, listed};
    const double most = levels + 1;
    return {listed, Acceptance::from_length(std::clamp(input.rates_length->low, 1.0, most), levels),
            Acceptance::from_length(std::clamp(input.rates_length->high, 1.0, most), levels)};
  }
  if (story && story->length) return from_length(*story->length, levels);
  throw UsageError(
      fmt::format("{} says nothing about acceptance: give acceptance.length, acceptance.rate or "
                  "acceptance.rates (with --set or in "
                  "the file), or a server's log with --from-log",
                  scenario.name));
}

void note_story(const SpecScenario& scenario, const Story& story, Document& document) {
  Finding finding;
  finding.kind =
      story.consistent ? finding_kind("observed-consistent") : finding_kind("observed-inconsistent");
  finding.severity = story.consistent ? Severity::note : Severity::warning;
  finding.subject = scenario.name;
  const SpecExplanation& length = story.explanations.front();
  finding.message =
      story.consistent
          ? fmt::format(
                "the observed {:g} tok/s are explained by an acceptance length of {:.1f} ({:.1f} to {:.1f})",
                scenario.observed.spec_tokens_s->value, length.value, length.range->low, length.range->high)
          : fmt::format(
                "no possible acceptance length explains the observed {:g} tok/s: it would have to be {:.1f} "
                "to "
                "{:.1f}, and lies between 1 and {}",
                scenario.observed.spec_tokens_s->value, length.range->low, length.range->high,
                scenario.speculation.steps + 1);
  finding.evidence = story.evidence;
  add_finding(document, std::move(finding));
}

// The server that was observed, as one more candidate: its own allreduces where they were reported, the
// model's elsewhere.
std::optional<Communication> observed_candidate(const SpecScenario& scenario, const Communication& baseline) {
  if (!scenario.observed.verify_communication_ms) return std::nullopt;
  const Bytes verify = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  const Bytes plain = message_bytes(scenario.model, scenario.speculation.batch);
  const double reported = scenario.observed.verify_communication_ms->value * 1e6 / scenario.model.allreduces;
  Communication observed = baseline;
  observed.strategy = "as reported";
  observed.origin = scenario.observed.verify_communication_ms->origin;
  observed.allreduce = CallTimes({{plain.count, baseline.allreduce.at(plain)}, {verify.count, reported}});
  return observed;
}

// What the report says of the baseline's calls beside what the machine's model says: where they are far apart
// the model is no picture of that box. Empty where they are not.
std::string contradiction(const Communication& observed, const Communication& baseline, Bytes verify) {
  constexpr double kFar = 1.5;
  const double reported = observed.allreduce.at(verify);
  const double modelled = baseline.allreduce.at(verify);
  if (reported <= kFar * modelled && modelled <= kFar * reported) return "";
  return fmt::format("the report's allreduces take {}, the machine's model has {} for {}",
                     format_time_ns(reported), format_time_ns(modelled), baseline.strategy);
}

void note_contradiction(const std::string& text, const std::string& machine, Document& document) {
  add_finding(
      document,
      {.kind = finding_kind("model-contradicted"),
       .severity = Severity::warning,
       .subject = machine,
       .message = text,
       .evidence = {},
       .remedy = "measure on that box (probe-comm --json, then --fit); until then read what is modelled "
                 "as what such a box could do"});
}

void note_memory(const SpecResult& result, Document& document) {
  for (const SpecMemory& memory : result.memory) {
    if (memory.kv_pool_bytes > 0) continue;
    add_finding(
        document,
        {.kind = finding_kind("no-room-for-kv"),
         .severity = Severity::warning,
         .subject = memory.layout,
         .message = fmt::format(
             "with {} the weights leave no room for a KV pool: the server ends out of memory", memory.layout),
         .evidence = {fmt::format(
             "{:.1f} GiB are free after weights, {:.1f} GiB less than the memory fraction "
             "keeps aside",
             memory.free_bytes / 1073741824.0, -memory.kv_pool_bytes / 1073741824.0)},
         .remedy = memory.least_fraction < 1
                       ? fmt::format("a memory fraction above {:.3f}, or fewer weights on each GPU",
                                     memory.least_fraction)
                       : "no memory fraction helps: more GPUs, or weights of fewer bits"});
  }
}

// Entry names that the measurement of the verify message could not tell apart.
std::vector<std::string> tied_names(const Document& document, Bytes verify_message) {
  for (const GroupVerdict& verdict : document.verdicts) {
    if (verdict.collective != Collective::allreduce || verdict.bytes != verify_message || verdict.winner)
      continue;
    if (!verdict.tied.empty()) return verdict.tied;
    std::vector<std::string> undecided;  // too few launches
    for (const Row& row : document.rows) {
      const Case& params = row.params;
      if (row.time && params.collective == verdict.collective && params.bytes == verdict.bytes &&
          params.dtype == verdict.dtype && params.mode == verdict.mode)
        undecided.push_back(entry_name(params));
    }
    return undecided;
  }
  return {};
}

}  // namespace

void answer_spec(const SpecScenario& scenario, const MachineProfile& machine, const Communication& baseline,
                 std::vector<Communication> communications, Document& document) {
  if (communications.empty()) throw EnvironmentError("no strategy has a time, so nothing can be said");
  const ComputeTimes compute = find_compute(scenario, machine, baseline);
  const std::optional<Story> story = explain_observed(scenario, compute, baseline);
  const AcceptanceRange acceptance = find_acceptance(scenario, story);
  const StepModel model(scenario, acceptance.value, compute);
  std::vector<StepModel> corners;
  for (const bool high : {false, true}) {
    corners.emplace_back(scenario, acceptance.low, compute.at_end(high));
    corners.emplace_back(scenario, acceptance.high, compute.at_end(high));
  }

  const Bytes verify = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  std::string contradicted;
  if (const auto observed = observed_candidate(scenario, baseline)) {
    contradicted = contradiction(*observed, baseline, verify);
    communications.push_back(*observed);
  }
  SpecResult result = document.spec.value_or(SpecResult{});
  result.scenario = scenario.name;
  result.title = scenario.title;
  result.model = scenario.model.name;
  result.machine = machine.name;
  result.allreduces = scenario.model.allreduces;
  result.verify_message = message_bytes(scenario.model, scenario.speculation.verify_tokens());
  result.plain_message = message_bytes(scenario.model, scenario.speculation.batch);
  result.inputs = list_inputs(scenario, compute, story ? story->length : std::nullopt);
  for (const Communication& communication : communications) {
    result.candidates.push_back(judge_candidate(scenario, model, communication));
    for (SpecCurve& curve : candidate_curves(scenario, model, communication))
      result.curves.push_back(std::move(curve));
  }
  if (story) result.explanations = story->explanations;
  result.memory = memory_by_layout(scenario, machine);
  SpecVerdict verdict = give_verdict(scenario, model, corners, communications, result.candidates,
                                     tied_names(document, result.verify_message));
  result.decides = std::move(verdict.decides);
  if (story) result.decides.insert(result.decides.end(), story->evidence.begin(), story->evidence.end());
  result.recommendation = std::move(verdict.recommendation);
  result.confidence = std::move(verdict.confidence);
  if (!contradicted.empty()) {
    note_contradiction(contradicted, machine.name, document);
    result.confidence += "; " + contradicted;
  }
  if (story) note_story(scenario, *story, document);
  note_memory(result, document);
  add_finding(document, {.kind = finding_kind("recommendation"),
                         .severity = Severity::note,
                         .subject = scenario.name,
                         .message = result.recommendation,
                         .evidence = {result.confidence},
                         .remedy = ""});
  document.spec = std::move(result);
}

}  // namespace ringside
