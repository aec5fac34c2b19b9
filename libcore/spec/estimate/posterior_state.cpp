#include "spec/estimate/posterior_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spec/estimate/normal.hpp"

namespace ringside {
namespace {

constexpr double kNearContext = 1.25;

bool near_context(const StepPoint& one, const StepPoint& other) {
  return std::max(one.context, other.context) <= kNearContext * std::min(one.context, other.context);
}

bool same_speculation(const StepPoint& one, const StepPoint& other) {
  return one.batch == other.batch && one.drafts == other.drafts && one.verify_rows == other.verify_rows &&
         near_context(one, other);
}

bool has_linear_layers(const ModelFacts& model) {
  return std::ranges::any_of(
      model.groups, [](const LayerGroup& group) { return group.attention == AttentionKind::linear; });
}

bool other_draft_format(const ServerWorkload& workload) {
  if (workload.draft.kind != DraftKind::mtp || workload.model.draft.layers == 0 || workload.draft.facts)
    return false;
  const auto formats = [](const LayerGroup& group) {
    return group.experts ? group.expert_weights.format : group.dense_weights.format;
  };
  return std::ranges::none_of(workload.model.groups, [&](const LayerGroup& group) {
    return formats(group) == formats(workload.model.draft);
  });
}

bool other_draft_ranks(const ServerWorkload& workload) {
  return workload.draft.tp > 0 && workload.draft.tp != workload.layout.tp;
}

UnknownPriors make_priors(const ServerWorkload& workload, const StepPricing& pricing) {
  const bool one_gpu = workload.layout.tp == 1 && workload.draft.kind != DraftKind::mtp;
  return {fixed_times(workload.server, one_gpu, pricing.complex(), workload.without_gpu), pricing.sigmas(),
          pricing.complex()};
}

}  // namespace

SpeedRange estimate_of(std::vector<double>& values) {
  const auto at = [&](double share, std::size_t first) {
    const auto index = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
    std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                     values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
    return std::pair(values[index], index);
  };
  const auto [low, first] = at(0.05, 0);
  const auto [median, second] = at(0.5, first);
  const auto [high, third] = at(0.95, second);
  return {median, low, high};
}

Posterior::State::State(ServerWorkload work, std::vector<SpeedObservation> seen,
                        std::optional<Acceptance> accepted, std::uint64_t first)
    : workload(std::move(work)),
      observations(std::move(seen)),
      acceptance(std::move(accepted)),
      seed(first),
      pricing(workload),
      priors(make_priors(workload, pricing)),
      evidence(pricing, priors, observations, acceptance) {
  NormalDraws random(seed + 1);
  noise = stratified_normals(kKept, random);
  other_noise = noise;
  std::ranges::reverse(other_noise);
  main = fit(false);
  const double prior = prior_slow_probability();
  slow_probability = prior;
  slow = evidence.has_speculation() ? fit(true) : main;
  // Evidence that rests on a few draws decides nothing.
  constexpr double kFewDraws = 30;
  const bool sound = std::min(main.sampled.effective_draws, slow.sampled.effective_draws) >= kFewDraws;
  const double more = sound ? slow.sampled.log_evidence - main.sampled.log_evidence : 0;
  const double odds = std::exp(std::clamp(more, -50.0, 50.0));
  slow_probability = prior * odds / (prior * odds + 1 - prior);
  constexpr std::size_t kThinned = 4;
  if (!slow_seen()) slow.thin(kThinned);
}

void Component::thin(std::size_t each) {
  std::size_t left = 0;
  for (std::size_t i = 0; i < kept.size(); i += each, ++left) {
    kept[left] = kept[i];
    if (!residuals.empty()) residuals[left] = residuals[i];
  }
  kept.resize(left);
  if (!residuals.empty()) residuals.resize(left);
}

Component Posterior::State::fit(bool slow_path) const {
  const WhitenedResiduals residuals = [this, slow_path](const Standard& standard,
                                                        std::vector<double>& result) {
    evidence.residuals(priors.values(standard), slow_path, result);
    evidence.whiten(result);
  };
  Component component;
  component.sampled = sample_posterior(residuals, evidence.size(), seed + (slow_path ? 2 : 3));
  for (const Standard& standard : component.sampled.resampled(kKept, seed + 4)) {
    component.kept.push_back(priors.values(standard));
    if (evidence.size() > 0)
      evidence.residuals(component.kept.back(), slow_path, component.residuals.emplace_back());
  }
  return component;
}

// 10 % of published servers fell into it; more of those that are seldom run so.
double Posterior::State::prior_slow_probability() const {
  constexpr double kUsual = 0.10;
  constexpr double kProven = 0.03;
  constexpr double kSeldom = 0.30;
  if (workload.graphs_proven) return kProven;
  const bool seldom = workload.layout.pp > 1 || workload.other_vendor || other_draft_ranks(workload) ||
                      other_draft_format(workload) || workload.draft.kind == DraftKind::ngram ||
                      (workload.server.kind == ServerKind::vllm && has_linear_layers(workload.model));
  return seldom ? kSeldom : kUsual;
}

double Posterior::State::seen_rows() const {
  double rows = workload.graphs_proven ? workload.captured_rows : 0;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!observations[i].point.plain() && evidence.used_index(i))
      rows = std::max(rows, observations[i].point.rows());
  }
  return rows;
}

bool Posterior::State::beyond_seen_rows(const StepPoint& point) const {
  const double seen = seen_rows();
  return seen > 0 && point.rows() > seen;
}

// A cliff was seen between 16 and 32 rows of one server: from twice the rows on, or a larger batch, nothing
// is firm. Between, its probability decides.
bool Posterior::State::cliff_possible(const StepPoint& point) const {
  if (!beyond_seen_rows(point)) return false;
  int batch = 0;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!observations[i].point.plain() && evidence.used_index(i))
      batch = std::max(batch, observations[i].point.batch);
  }
  return point.rows() >= 2 * seen_rows() || (batch > 0 && point.batch > batch);
}

double Posterior::State::slow_at(const StepPoint& point) const {
  constexpr double kEachDoubling = 0.06;
  if (!beyond_seen_rows(point)) return slow_probability;
  const double more = std::min(0.5, kEachDoubling * std::log2(point.rows() / seen_rows()));
  return slow_probability + (1 - slow_probability) * more;
}

std::vector<double> Posterior::State::make_log_rates(const StepPoint& point, bool slow_path) const {
  const StepTime time(pricing.price(point), priors);
  const Component& from = component(slow_path);
  const std::vector<double> weights = evidence.shift_weights(point);
  std::vector<double> rates;
  rates.reserve(from.kept.size());
  for (std::size_t i = 0; i < from.kept.size(); ++i) {
    double rate = -std::log(time.us(from.kept[i], slow_path));
    for (std::size_t k = 0; k < weights.size(); ++k) rate += weights[k] * from.residuals[i][k];
    rates.push_back(rate);
  }
  return rates;
}

const std::vector<double>& Posterior::State::log_rates(const StepPoint& point, bool slow_path) const {
  const std::size_t at = slow_path ? 1 : 0;
  if (!point.plain()) {
    if (last_rates_[at].empty() || last_[at] != point) last_rates_[at] = make_log_rates(point, slow_path);
    last_[at] = point;
    return last_rates_[at];
  }
  constexpr std::size_t kMostKept = 256;
  const auto key = std::pair(point.batch, point.context);
  const auto found = plain_[at].find(key);
  if (found != plain_[at].end()) return found->second;
  if (plain_[at].size() >= kMostKept) plain_[at].clear();
  return plain_[at][key] = make_log_rates(point, slow_path);
}

bool Posterior::State::doubtful() const {
  return !pricing.gpu_known() || !workload.model.understood() ||
         (workload.draft.facts && !workload.draft.facts->understood());
}

double Posterior::State::ratio_misfit(const StepPoint& point) const {
  constexpr double kNothing = 0.12;
  constexpr double kOtherDrafts = 0.05;
  constexpr double kOtherBatch = 0.08;  // twice or half; farther more
  constexpr double kSame = 0.02;
  constexpr double kDoubtful = 0.15;
  double sigma = kNothing;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const StepPoint& seen = observations[i].point;
    if (seen.plain() || !evidence.used_index(i)) continue;
    const double doublings = std::abs(std::log2(static_cast<double>(point.batch) / seen.batch));
    double one = kOtherBatch * std::sqrt(std::max(1.0, doublings));
    if (same_speculation(point, seen)) {
      one = kSame;
    } else if (point.batch == seen.batch && near_context(point, seen)) {
      one = kOtherDrafts;
    }
    sigma = std::min(sigma, one);
  }
  return doubtful() ? std::hypot(sigma, kDoubtful) : sigma;
}

double Posterior::State::speed_misfit(const StepPoint& point) const {
  constexpr double kNothing = 0.12;
  constexpr double kOtherBatch = 0.08;
  constexpr double kSameBatch = 0.05;
  constexpr double kDoubtful = 0.2;
  double sigma = kNothing;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!evidence.used_index(i)) continue;
    sigma = std::min(sigma, observations[i].point.batch == point.batch ? kSameBatch : kOtherBatch);
  }
  return doubtful() ? std::hypot(sigma, kDoubtful) : sigma;
}

std::vector<std::string> Posterior::State::doubts(const StepPoint& point,
                                                  const std::optional<Acceptance>& accepted) const {
  constexpr double kLongContext = 16384;
  constexpr double kFewDraws = 300;
  std::vector<std::string> why;
  if (!pricing.gpu_known()) why.emplace_back("no kernel times are known of this type of GPU");
  if (!workload.model.understood())
    why.emplace_back("parts of the model's configuration were not understood");
  if (workload.draft.facts && !workload.draft.facts->understood())
    why.emplace_back("parts of the draft's configuration were not understood");
  if (workload.layout.pp > 1) why.emplace_back("pipeline parallelism is not calibrated");
  if (workload.other_vendor) why.emplace_back("GPUs of another vendor are not calibrated");
  if (other_draft_ranks(workload))
    why.emplace_back("a draft with tensor parallelism of its own is not calibrated");
  if (workload.draft.kind == DraftKind::ngram) why.emplace_back("n-gram drafts are not calibrated");
  if (accepted && accepted->is_prior())
    why.emplace_back("the acceptance is a published one of other prompts");
  const bool seen_context = std::ranges::any_of(observations, [&](const SpeedObservation& seen) {
    return !seen.point.plain() && near_context(seen.point, point);
  });
  if (point.context > kLongContext && !seen_context)
    why.emplace_back("no speculation was measured at a context this long");
  if (cliff_possible(point)) {
    why.push_back(
        fmt::format("{:.0f} rows to verify, and no more than {:.0f} were seen", point.rows(), seen_rows()));
  }
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (!evidence.impossible(i).empty()) why.push_back("an observation can't be: " + evidence.impossible(i));
  }
  if (effective_draws() < kFewDraws)
    why.push_back(
        fmt::format("only {:.0f} effective draws, fewer than {:.0f}", effective_draws(), kFewDraws));
  return why;
}

std::optional<Posterior::State::MeasuredPair> Posterior::State::measured_pair(const StepPoint& point) const {
  const SpeedObservation* plain = nullptr;
  const SpeedObservation* speculative = nullptr;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const SpeedObservation& seen = observations[i];
    if (!evidence.impossible(i).empty() || seen.point.batch != point.batch ||
        !near_context(seen.point, point))
      continue;
    if (seen.point.plain() && plain == nullptr) plain = &seen;
    if (!seen.point.plain() && speculative == nullptr && same_speculation(seen.point, point))
      speculative = &seen;
  }
  if (plain == nullptr || speculative == nullptr || !near_context(plain->point, speculative->point))
    return std::nullopt;
  return MeasuredPair{plain->tokens_s, speculative->tokens_s,
                      std::hypot(plain->relative_error, speculative->relative_error), speculative->length};
}

}  // namespace ringside
