#include "spec/estimate/posterior.hpp"

#include <algorithm>
#include <cmath>

#include "spec/estimate/normal.hpp"
#include "spec/estimate/posterior_state.hpp"

namespace ringside {
namespace {

constexpr double kUsPerSecond = 1e6;
constexpr double kUsPerMs = 1e3;

double length_number(const Draw& draw) {
  return draw[static_cast<std::size_t>(StepUnknown::length)];
}

// Verdict of a probability that it pays.
SpeedVerdict judge(double pays, bool firm_allowed) {
  constexpr double kFirm = 0.95;
  constexpr double kLikely = 0.8;
  if (pays >= kFirm && firm_allowed) return SpeedVerdict::firm_pays;
  if (pays >= kLikely) return SpeedVerdict::likely_pays;
  if (pays <= 1 - kFirm && firm_allowed) return SpeedVerdict::firm_loses;
  return pays <= 1 - kLikely ? SpeedVerdict::likely_loses : SpeedVerdict::open;
}

SpeedRange around(double median, double sigma) {
  constexpr double kSigmasOf90 = 1.645;
  return {median, median * std::exp(-kSigmasOf90 * sigma), median * std::exp(kSigmasOf90 * sigma)};
}

// log of the speed-up without the length, of each kept draw, and its own noise.
struct Ratios {
  std::vector<double> logs;
  double sigma = 0;
};

Ratios ratios(const Posterior::State& state, const StepPoint& point, bool slow) {
  const StepPoint plain = plain_point(point.batch, point.context);
  const std::vector<double>& without = state.log_rates(plain, slow);
  const std::vector<double>& with = state.log_rates(point, slow);
  Ratios result;
  for (std::size_t i = 0; i < with.size(); ++i) result.logs.push_back(with[i] - without[i]);
  const double field = state.evidence.shift_covariance(point, point) +
                       state.evidence.shift_covariance(plain, plain) -
                       2 * state.evidence.shift_covariance(point, plain);
  result.sigma = std::hypot(state.ratio_misfit(point), std::sqrt(std::max(0.0, field)));
  return result;
}

struct Outcome {
  SpeedRange speedup;
  double pays = 0;
};

// The ratios with the model's own noise: speed-ups at length 1.
std::vector<double> noisy(const Posterior::State& state, const Ratios& ratios) {
  std::vector<double> values(ratios.logs.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::exp(ratios.logs[i] + ratios.sigma * state.noise[i]);
  return values;
}

Outcome outcome(const Posterior::State& state, const Ratios& ratios, std::vector<double> values,
                const StepPoint& point, const Acceptance& acceptance, bool slow) {
  const double length = expected_length(acceptance, point);
  const double log_length = std::log(length);
  const double sigma_length = acceptance.sigma(point.drafts);
  const std::vector<Draw>& draws = state.component(slow).kept;
  Outcome result;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    const double more = sigma_length * length_number(draws[i]);
    result.pays += normal_below((ratios.logs[i] + log_length + more) / ratios.sigma);
    values[i] *= length * std::exp(more);
  }
  result.pays /= static_cast<double>(draws.size());
  result.speedup = estimate_of(values);
  return result;
}

SpeedRange break_even(std::vector<double> values) {
  for (double& value : values) value = 1 / value;
  return estimate_of(values);
}

// Tokens a second: `length_sigma` 0 and `length` 1 for plain decoding.
SpeedRange speed(const Posterior::State& state, const StepPoint& point, double length, double length_sigma) {
  const bool slow = state.slow_seen();
  const std::vector<double>& rates = state.log_rates(point, slow);
  const double sigma = std::hypot(state.speed_misfit(point),
                                  std::sqrt(std::max(0.0, state.evidence.shift_covariance(point, point))));
  const std::vector<Draw>& draws = state.component(slow).kept;
  const double log_tokens = std::log(point.batch * length * kUsPerSecond);
  std::vector<double> values(rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    values[i] = std::exp(log_tokens + rates[i] + length_sigma * length_number(draws[i]) +
                         sigma * state.other_noise[i]);
  }
  return estimate_of(values);
}

// Both speeds were measured here: they bind the point, whatever the model says.
void bind(SpeedUp& answer, const Posterior::State::MeasuredPair& pair) {
  constexpr double kLeastSigma = 0.002;
  const double ratio = pair.speculative / pair.plain;
  const double sigma = std::max(pair.sigma, kLeastSigma);
  answer.measured = true;
  answer.speedup = around(ratio, sigma);
  answer.plain = around(pair.plain, sigma / std::sqrt(2));
  answer.tokens_s = around(pair.speculative, sigma / std::sqrt(2));
  if (pair.length) answer.break_even = around(*pair.length / ratio, sigma);
  answer.pays = normal_below(std::log(ratio) / sigma);
}

// Whether the length that speculation was measured with is the one that is asked for.
bool same_length(const Posterior::State::MeasuredPair& pair, const std::optional<Acceptance>& acceptance,
                 const StepPoint& point) {
  constexpr double kSame = 0.03;
  if (!acceptance || !pair.length) return true;
  return std::abs(std::log(expected_length(*acceptance, point) / *pair.length)) <= kSame;
}

}  // namespace

std::string_view to_string(SpeedVerdict verdict) {
  switch (verdict) {
    case SpeedVerdict::firm_pays:
      return "firm: pays";
    case SpeedVerdict::likely_pays:
      return "likely pays";
    case SpeedVerdict::open:
      return "open";
    case SpeedVerdict::likely_loses:
      return "likely loses";
    case SpeedVerdict::firm_loses:
      return "firm: loses";
  }
  return "open";
}

Posterior::Posterior(ServerWorkload workload, std::vector<SpeedObservation> observations,
                     std::optional<Acceptance> acceptance, std::uint64_t seed)
    : state_(std::make_unique<State>(std::move(workload), std::move(observations), std::move(acceptance),
                                     seed)) {}

Posterior::~Posterior() = default;
Posterior::Posterior(Posterior&&) noexcept = default;
Posterior& Posterior::operator=(Posterior&&) noexcept = default;

SpeedRange Posterior::plain_tokens_s(const StepPoint& point) const {
  const auto key = std::pair(point.batch, point.context);
  const auto known = state_->plain_speeds.find(key);
  if (known != state_->plain_speeds.end()) return known->second;
  return state_->plain_speeds[key] = speed(*state_, plain_point(point.batch, point.context), 1, 0);
}

SpeedRange Posterior::speculative_tokens_s(const StepPoint& point, const Acceptance& acceptance) const {
  return speed(*state_, point, expected_length(acceptance, point), acceptance.sigma(point.drafts));
}

SpeedRange Posterior::step_ms(const StepPoint& point) const {
  const SpeedRange each = speed(*state_, point, 1, 0);
  const double tokens_ms = point.batch * kUsPerMs;
  return {tokens_ms / each.median, tokens_ms / each.high, tokens_ms / each.low};
}

SpeedUp Posterior::speed_up(const StepPoint& point, const std::optional<Acceptance>& acceptance) const {
  const State& state = *state_;
  SpeedUp answer;
  answer.point = point;
  answer.effective_draws = state.effective_draws();
  answer.slow_seen = state.slow_seen();
  answer.slow.probability = state.slow_at(point);
  answer.plain = plain_tokens_s(point);
  const Ratios own = ratios(state, point, answer.slow_seen);
  const std::vector<double> values = noisy(state, own);
  answer.break_even = break_even(values);
  if (acceptance) {
    answer.tokens_s = speculative_tokens_s(point, *acceptance);
    const Outcome seen = outcome(state, own, values, point, *acceptance, answer.slow_seen);
    answer.speedup = seen.speedup;
    const bool slow_other = !answer.slow_seen;  // the component that the estimates above are not of
    const Ratios others = ratios(state, point, slow_other);
    const Outcome other = outcome(state, others, noisy(state, others), point, *acceptance, slow_other);
    const Outcome& slow = answer.slow_seen ? seen : other;
    const Outcome& main = answer.slow_seen ? other : seen;
    answer.slow.speedup = slow.speedup;
    answer.slow.tokens_s = slow.speedup.median * answer.plain->median;
    answer.pays = answer.slow.probability * slow.pays + (1 - answer.slow.probability) * main.pays;
  }
  answer.doubts = state.doubts(point, acceptance);
  const auto pair = state.measured_pair(point);
  if (pair && same_length(*pair, acceptance, point)) {
    bind(answer, *pair);
    // What was measured needs no kernel times, rows or draws: only a speed that can't be opens it.
    std::erase_if(answer.doubts,
                  [](const std::string& doubt) { return !doubt.starts_with("an observation"); });
  }
  if (answer.speedup) answer.verdict = judge(answer.pays, answer.doubts.empty());
  return answer;
}

std::optional<std::size_t> Posterior::best(std::span<const SpeedUp> choices,
                                           const Acceptance& acceptance) const {
  constexpr double kLeastBand = 0.02;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].speedup) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(choices[i].point.drafts, choices[i].point.verify_rows);
  });
  std::optional<std::size_t> best;
  double to_beat = 1;
  for (const std::size_t i : order) {
    const double band =
        std::max(kLeastBand, acceptance.is_prior() ? kLeastBand : acceptance.sigma(choices[i].point.drafts));
    if (choices[i].speedup->median <= to_beat * (best ? 1 + band : 1)) continue;
    best = i;
    to_beat = choices[i].speedup->median;
  }
  return best;
}

double Posterior::effective_draws() const {
  return state_->effective_draws();
}

double Posterior::slow_probability() const {
  return state_->slow_probability;
}

const ServerWorkload& Posterior::workload() const {
  return state_->workload;
}

}  // namespace ringside
