#include <algorithm>
#include <cmath>

#include "spec/estimate/normal.hpp"
#include "spec/estimate/posterior_state.hpp"

namespace ringside {
namespace {

// Residuals of all weighted draws.
std::vector<std::vector<double>> all_residuals(const Posterior::State& state, bool slow) {
  std::vector<std::vector<double>> rows;
  for (const Standard& standard : state.component(slow).sampled.draws)
    state.evidence.residuals(state.priors.values(standard), slow, rows.emplace_back());
  return rows;
}

// A used observation by the others: the draws are weighted by one over the likelihood of the one left out.
std::optional<SpeedRange> left_out(const Posterior::State& state, std::size_t used, double measured,
                                   bool slow, const std::vector<std::vector<double>>& residuals) {
  constexpr double kFewDraws = 60;
  const SampledPosterior& sampled = state.component(slow).sampled;
  std::vector<double> logs;
  std::vector<Evidence::Shift> shifts;
  for (std::size_t n = 0; n < sampled.draws.size(); ++n) {
    const Evidence::Shift& shift = shifts.emplace_back(state.evidence.conditional(used, residuals[n]));
    const double off = (residuals[n][used] - shift.mean) / shift.sigma;
    logs.push_back(std::log(std::max(sampled.weights[n], 1e-300)) + 0.5 * off * off);
  }
  const double top = *std::ranges::max_element(logs);
  SampledPosterior others;
  double sum = 0;
  for (const double log : logs) sum += others.weights.emplace_back(std::exp(log - top));
  for (double& weight : others.weights) weight /= sum;
  if (effective_count(others.weights) < kFewDraws) return std::nullopt;
  // Marks of the draws, so that the resampling tells which they were.
  others.draws.resize(logs.size());
  for (std::size_t n = 0; n < logs.size(); ++n) others.draws[n][0] = static_cast<double>(n);
  std::vector<double> values;
  for (const Standard& mark : others.resampled(Posterior::State::kKept, state.seed + 5)) {
    const auto n = static_cast<std::size_t>(mark[0]);
    const double log = shifts[n].mean - residuals[n][used] + shifts[n].sigma * state.noise[values.size()];
    values.push_back(measured * std::exp(log));
  }
  return estimate_of(values);
}

SpeedRange refitted(const Posterior::State& state, std::size_t without) {
  std::vector<SpeedObservation> others;
  for (std::size_t i = 0; i < state.observations.size(); ++i)
    if (i != without) others.push_back(state.observations[i]);
  const Posterior posterior(state.workload, std::move(others), state.acceptance, state.seed);
  const SpeedObservation& seen = state.observations[without];
  if (seen.point.plain()) return posterior.plain_tokens_s(seen.point);
  const SpeedRange step = posterior.step_ms(seen.point);
  const double length = seen.length ? *seen.length : expected_length(*state.acceptance, seen.point);
  const double tokens = seen.point.batch * length * 1e3;
  return {tokens / step.median, tokens / step.high, tokens / step.low};
}

SpeedRange fitted_speed(const Posterior::State& state, std::size_t used, bool slow) {
  std::vector<double> values;
  const double sigma = 0.02;
  for (const Draw& draw : state.component(slow).kept)
    values.push_back(
        std::exp(state.evidence.fitted_log_speed(used, draw, slow) + sigma * state.noise[values.size()]));
  return estimate_of(values);
}

double squared_correlation(const std::vector<double>& one, const std::vector<double>& other) {
  const auto count = static_cast<double>(one.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    x += one[i];
    y += other[i];
    xx += one[i] * one[i];
    yy += other[i] * other[i];
    xy += one[i] * other[i];
  }
  const double both = (xx - x * x / count) * (yy - y * y / count);
  const double covariance = xy - x * y / count;
  return both > 0 ? covariance * covariance / both : 0;
}

}  // namespace

std::vector<ObservedSpeed> Posterior::observed(bool leave_out) const {
  const State& state = *state_;
  const bool slow = state.slow_seen();
  constexpr std::size_t kLeast = 3;
  leave_out = leave_out && state.evidence.size() >= kLeast;
  const auto residuals = leave_out ? all_residuals(state, slow) : std::vector<std::vector<double>>();
  std::vector<ObservedSpeed> rows;
  for (std::size_t i = 0; i < state.observations.size(); ++i) {
    const SpeedObservation& seen = state.observations[i];
    ObservedSpeed row{seen.point, seen.source, seen.tokens_s, {}, {}, state.evidence.impossible(i)};
    const auto used = state.evidence.used_index(i);
    if (used) {
      row.fitted = fitted_speed(state, *used, slow);
      if (leave_out) {
        row.left_out = left_out(state, *used, seen.tokens_s, slow, residuals);
        if (!row.left_out) row.left_out = refitted(state, i);
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Uncertainty> Posterior::uncertainties(const StepPoint& point,
                                                  const std::optional<Acceptance>& acceptance) const {
  const State& state = *state_;
  const bool slow = state.slow_seen();
  const std::vector<double>& without = state.log_rates(plain_point(point.batch, point.context), slow);
  const std::vector<double>& with = state.log_rates(point, slow);
  const std::vector<Draw>& draws = state.component(slow).kept;
  const double sigma_length = acceptance ? acceptance->sigma(point.drafts) : 0;
  std::vector<double> logs;
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const double log =
        with[i] - without[i] + sigma_length * draws[i][static_cast<std::size_t>(StepUnknown::length)];
    logs.push_back(log);
    mean += log / static_cast<double>(with.size());
    square += log * log / static_cast<double>(with.size());
  }
  const double known = std::max(0.0, square - mean * mean);
  const double misfit = state.ratio_misfit(point) * state.ratio_misfit(point);
  std::vector<Uncertainty> shares;
  double sum = 0;
  for (std::size_t u = 0; u < kUnknowns; ++u) {
    std::vector<double> values;
    const bool logarithm = u != static_cast<std::size_t>(StepUnknown::length);
    for (const Draw& draw : draws) values.push_back(logarithm ? std::log(draw[u]) : draw[u]);
    const double share = squared_correlation(logs, values);
    const auto unknown = static_cast<StepUnknown>(u);
    shares.push_back({std::string(name_of(unknown)), share, std::string(remedy_of(unknown))});
    sum += share;
  }
  const double model_share = known + misfit > 0 ? misfit / (known + misfit) : 0;
  for (Uncertainty& share : shares) share.share *= sum > 0 ? (1 - model_share) / std::max(sum, 1.0) : 0;
  shares.push_back({"what the model leaves out", model_share, std::string(remedy_of(StepUnknown::draft))});
  std::ranges::stable_sort(shares, std::greater(), &Uncertainty::share);
  return shares;
}

}  // namespace ringside
