#include "spec/speed_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "spec/draft_table.hpp"
#include "spec/speed_pairs.hpp"
#include "spec/weights.hpp"

namespace ringside {
namespace {

constexpr double kNinety = 1.6449;  // sigmas on each side of 90 %
constexpr double kFirm = 0.95;
constexpr double kLikely = 0.8;
constexpr double kLeastDraws = 300;

double below(double sigmas) {
  return 0.5 * std::erfc(-sigmas / std::sqrt(2.0));
}

// With one more independent error of log(value).
SpecRange widened(const SpecRange& range, double sigma) {
  if (sigma <= 0 || range.low <= 0) return range;
  const double more = kNinety * sigma;
  return {range.median, range.median * std::exp(-std::hypot(std::log(range.median / range.low), more)),
          range.median * std::exp(std::hypot(std::log(range.high / range.median), more))};
}

// The share of a log-normal range that lies above 1.
double above_one(const SpecRange& range) {
  const double sigma = std::log(range.high / range.low) / (2 * kNinety);
  const double centre = std::log(range.median);
  if (sigma <= 0) return centre > 0 ? 1 : 0;
  return below(centre / sigma);
}

void set_verdict(JudgedSpeed& judged, bool never_firm) {
  const double pays = judged.pays.value_or(0.5);
  const double sure = std::max(pays, 1 - pays);
  if (sure < kLikely) return;
  judged.verdict = pays > 0.5 ? "pays" : "loses";
  const bool firm = sure >= kFirm && judged.effective_draws >= kLeastDraws && !never_firm;
  judged.certainty = firm ? "firm" : "likely";
}

void take_verdict(JudgedSpeed& judged, SpeedVerdict verdict, bool never_firm) {
  if (verdict == SpeedVerdict::open) return;
  const bool pays = verdict == SpeedVerdict::firm_pays || verdict == SpeedVerdict::likely_pays;
  const bool firm = verdict == SpeedVerdict::firm_pays || verdict == SpeedVerdict::firm_loses;
  judged.verdict = pays ? "pays" : "loses";
  judged.certainty = firm && !never_firm ? "firm" : "likely";
}

SpecObserved observed_of(const Inquiry& inquiry, const SpeedObservation& observation,
                         const ObservedSpeed* modelled) {
  SpecObserved observed;
  observed.source = observation.source;
  observed.speculative = !observation.point.plain();
  observed.batch = observation.point.batch;
  if (observed.speculative) observed.drafts = observation.point.drafts;
  observed.context = observation.point.context;
  observed.tokens_s = observation.tokens_s;
  observed.length = observation.length;
  if (modelled == nullptr) {
    observed.reason = impossible_speed(observed.tokens_s, observed.batch);
    observed.used = observed.reason.empty();
    return observed;
  }
  observed.reason = modelled->impossible;
  observed.used = modelled->impossible.empty();
  const bool unknown = observed.speculative && !observation.length && !inquiry.acceptance;
  if (unknown) {
    observed.used = false;
    observed.reason = kLengthUnknown;
    return observed;
  }
  if (modelled->fitted.median > 0) observed.predicted = range_of(modelled->fitted);
  if (modelled->left_out) observed.left_out = range_of(*modelled->left_out);
  return observed;
}

// A pair of a speed that can't be decides nothing.
void refuse_impossible(const std::vector<ObservedSpeed>& modelled, std::vector<SpecMeasured>& pairs) {
  for (const ObservedSpeed& speed : modelled) {
    if (speed.impossible.empty()) continue;
    for (SpecMeasured& pair : pairs) {
      const std::string& source = speed.point.plain() ? pair.plain_source : pair.speculative_source;
      if (source != speed.source || std::lround(pair.batch) != speed.point.batch) continue;
      pair.ratio.reset();
      pair.reason = "a speed that can't be: " + speed.impossible;
    }
  }
}

void take_measured(const SpecMeasured& pair, SpecEstimate& estimate) {
  estimate.speedup = pair.ratio;
  estimate.pays = above_one(*pair.ratio);
  estimate.verdict = pair.ratio->low > 1 ? "pays" : pair.ratio->high < 1 ? "loses" : "open";
  estimate.certainty = "measured";
  estimate.slow_path.reset();
}

void take_model(const JudgedSpeed& judged, SpecEstimate& estimate) {
  estimate.plain_tokens_s = judged.plain_tokens_s;
  estimate.speculative_tokens_s = judged.tokens_s;
  estimate.speedup = judged.speedup;
  estimate.pays = judged.pays;
  estimate.break_even_length = judged.break_even;
  estimate.slow_path = judged.slow;
  estimate.effective_draws = judged.effective_draws;
  estimate.verdict = judged.verdict;
  estimate.certainty = judged.certainty;
}

}  // namespace

SpecRange range_of(const SpeedRange& estimate) {
  return {estimate.median, estimate.low, estimate.high};
}

std::vector<SpeedObservation> speed_observations(const Inquiry& inquiry) {
  std::vector<SpeedObservation> observations;
  for (const ObservedReading& observed : inquiry.observations) {
    const SpeedReading& reading = observed.reading;
    if (!reading.tokens_s) continue;
    observations.push_back({.point = point_of(inquiry.scenario, reading),
                            .tokens_s = *reading.tokens_s,
                            .length = reading.speculative ? reading.length : std::nullopt,
                            .relative_error = relative_error(reading),
                            .source = reading.source});
  }
  return observations;
}

Posterior calibrate(const Inquiry& inquiry) {
  std::optional<Acceptance> acceptance;
  if (inquiry.acceptance) acceptance = inquiry.acceptance->acceptance;
  std::vector<SpeedObservation> usable;
  for (SpeedObservation& observation : speed_observations(inquiry)) {
    if (observation.point.plain() || observation.length || acceptance)
      usable.push_back(std::move(observation));
  }
  return Posterior(inquiry.workload, std::move(usable), acceptance);
}

ModelFit fit_of(const std::vector<ObservedSpeed>& observed) {
  constexpr double kBeyond = 1.1;
  ModelFit fit;
  for (const ObservedSpeed& speed : observed) {
    if (!speed.impossible.empty()) fit.impossible = true;
    if (!speed.impossible.empty() || speed.fitted.median <= 0) continue;
    if (speed.measured * kBeyond < speed.fitted.low || speed.measured > kBeyond * speed.fitted.high)
      fit.misfit = true;
  }
  return fit;
}

JudgedSpeed judge_speed(const Inquiry& inquiry, const SpeedUp& up, const ModelFit& fit) {
  JudgedSpeed judged;
  judged.effective_draws = up.effective_draws;
  judged.doubts = up.doubts;
  judged.break_even = range_of(up.break_even);
  judged.slow.probability = up.slow.probability;
  if (up.plain) judged.plain_tokens_s = range_of(*up.plain);
  if (!up.speedup) return judged;
  const double sigma = inquiry.acceptance ? inquiry.acceptance->sigma : 0;
  judged.speedup = widened(range_of(*up.speedup), sigma);
  if (up.tokens_s) judged.tokens_s = widened(range_of(*up.tokens_s), sigma);
  if (up.slow.speedup) judged.slow.speedup = widened(range_of(*up.slow.speedup), sigma);
  judged.pays = up.pays;
  const bool never_firm = fit.misfit || !inquiry.assumptions.empty() || !up.doubts.empty() ||
                          (inquiry.acceptance && inquiry.acceptance->origin == Origin::assumed);
  if (sigma > 0) {
    const double slow = judged.slow.speedup ? above_one(*judged.slow.speedup) : 0;
    judged.pays = (1 - judged.slow.probability) * above_one(*judged.speedup) + judged.slow.probability * slow;
  }
  if (fit.impossible) return judged;
  if (sigma > 0)
    set_verdict(judged, never_firm);
  else
    take_verdict(judged, up.verdict, never_firm);
  return judged;
}

SpecEstimate estimate_speeds(const Inquiry& inquiry, const Posterior* posterior) {
  const SpecScenario& scenario = inquiry.scenario;
  SpecEstimate estimate;
  estimate.verdict = "open";
  estimate.certainty = "open";
  estimate.batch = scenario.speculation.batch;
  estimate.drafts = scenario.speculation.drafts();
  estimate.context = scenario.context;
  estimate.layout = inquiry.layout_known || inquiry.facts
                        ? layout_text(serving_layout(scenario.parallel, asked_layout(scenario.parallel)))
                        : "layout not known";
  estimate.acceptance = inquiry.acceptance ? inquiry.acceptance->words : "acceptance not known";
  if (inquiry.acceptance) {
    const KnownAcceptance& known = *inquiry.acceptance;
    const double length = known.acceptance.tokens(estimate.drafts);
    const double sigma = std::hypot(known.sigma, known.acceptance.sigma(estimate.drafts));
    estimate.length = widened({length, length, length}, sigma);
  }
  estimate.measured = pair_speeds(inquiry);
  const StepPoint point = asked_point(inquiry);
  const std::vector<SpeedObservation> observations = speed_observations(inquiry);
  if (posterior == nullptr) {
    for (const SpeedObservation& observation : observations)
      estimate.observations.push_back(observed_of(inquiry, observation, nullptr));
  } else {
    estimate.seed = Posterior::kSeed;
    estimate.not_understood = inquiry.facts->not_understood;
    estimate.used = inquiry.facts->used;
    estimate.derived = inquiry.facts->derived;
    const std::vector<ObservedSpeed> modelled = posterior->observed();
    for (const SpeedObservation& observation : observations) {
      const auto same = std::ranges::find_if(modelled, [&](const ObservedSpeed& speed) {
        return speed.point == observation.point && speed.source == observation.source;
      });
      static const ObservedSpeed unused;
      estimate.observations.push_back(
          observed_of(inquiry, observation, same == modelled.end() ? &unused : &*same));
    }
    const ModelFit fit = fit_of(modelled);
    refuse_impossible(modelled, estimate.measured);
    std::optional<Acceptance> acceptance;
    if (inquiry.acceptance) acceptance = inquiry.acceptance->acceptance;
    take_model(judge_speed(inquiry, posterior->speed_up(point, acceptance), fit), estimate);
    fill_table(inquiry, *posterior, fit, estimate);
  }
  if (const SpecMeasured* pair = binding_pair(inquiry, estimate.measured, point))
    take_measured(*pair, estimate);
  return estimate;
}

}  // namespace ringside
