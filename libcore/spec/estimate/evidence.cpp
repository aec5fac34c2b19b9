#include "spec/estimate/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace ringside {
namespace {

constexpr double kUsPerSecond = 1e6;
// Misfit of a speed: one part of its own, one that goes on over log2(batch). Together 8 %: a tighter misfit
// makes curves over batch unfittable, and the posterior falsely sure. From three batches on the field is as
// wide as published curves need it.
constexpr double kNugget = 0.04;
constexpr double kSharedSigma = 0.07;
constexpr double kFieldNugget = 0.06;
constexpr double kFieldSigma = 0.14;
constexpr double kFieldLength = 3;  // doublings
constexpr double kAcross = 0.8;     // correlation of the field with and without speculation

}  // namespace

double expected_length(const Acceptance& acceptance, const StepPoint& point) {
  if (point.plain()) return 1;
  return acceptance.tree_tokens(point.drafts, std::max(point.verify_rows - 1, 1));
}

std::string Evidence::check(const StepPricing& pricing, const SpeedObservation& observation) const {
  const StepPoint& point = observation.point;
  const double longest = observation.length.value_or(point.drafts + 1.0);
  if (!(observation.tokens_s > 0) || !std::isfinite(observation.tokens_s)) return "no speed above 0";
  const double step_us = point.batch * longest / observation.tokens_s * kUsPerSecond;
  const double floor = pricing.floor_us(point);
  if (step_us >= floor) return {};
  return fmt::format(
      "a step of {:.2g} ms at most, but reading the weights and sending the messages takes {:.2g} ms at the "
      "data sheet's speed",
      step_us / 1e3, floor / 1e3);
}

Evidence::Evidence(const StepPricing& pricing, const UnknownPriors& priors,
                   const std::vector<SpeedObservation>& observations,
                   const std::optional<Acceptance>& acceptance) {
  std::set<int> plain_batches;
  std::set<int> speculative_batches;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const SpeedObservation& observation = observations[i];
    const StepPoint& point = observation.point;
    impossible_.push_back(check(pricing, observation));
    if (!impossible_.back().empty()) continue;
    const bool own_length = point.plain() || observation.length;
    if (!own_length && !acceptance) continue;
    Used used{i, point, StepTime(pricing.price(point), priors), std::log(observation.tokens_s), 0, 0, 0};
    const double length = point.plain() ? 1
                          : own_length  ? *observation.length
                                        : expected_length(*acceptance, point);
    used.log_tokens = std::log(point.batch * length * kUsPerSecond);
    used.length_sigma = own_length ? 0 : acceptance->sigma(point.drafts);
    used.sigma = observation.relative_error;
    used_.push_back(std::move(used));
    (point.plain() ? plain_batches : speculative_batches).insert(point.batch);
  }
  field_ = std::max(plain_batches.size(), speculative_batches.size()) >= 3;
  prepare();
}

double Evidence::covariance(const StepPoint& one, const StepPoint& other) const {
  const double sigma = field_ ? kFieldSigma : kSharedSigma;
  const double doublings = std::log2(static_cast<double>(one.batch) / other.batch) / kFieldLength;
  const double across = one.plain() == other.plain() ? 1 : kAcross;
  return across * sigma * sigma * std::exp(-0.5 * doublings * doublings);
}

void Evidence::prepare() {
  SquareMatrix matrix(used_.size());
  const double misfit = field_ ? kFieldNugget : kNugget;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    for (std::size_t k = 0; k < used_.size(); ++k) matrix(i, k) = covariance(used_[i].point, used_[k].point);
    matrix(i, i) += misfit * misfit + used_[i].sigma * used_[i].sigma;
  }
  lower_ = *cholesky(matrix);
  inverse_ = inverse_of(lower_);
}

bool Evidence::has_speculation() const {
  return std::ranges::any_of(used_, [](const Used& used) { return !used.point.plain(); });
}

double Evidence::fitted_log_speed(std::size_t index, const Draw& draw, bool slow) const {
  const Used& used = used_[index];
  const double length = used.length_sigma * draw[static_cast<std::size_t>(StepUnknown::length)];
  return used.log_tokens + length - std::log(used.time.us(draw, slow));
}

void Evidence::residuals(const Draw& draw, bool slow, std::vector<double>& result) const {
  result.resize(used_.size());
  for (std::size_t i = 0; i < used_.size(); ++i)
    result[i] = used_[i].log_speed - fitted_log_speed(i, draw, slow);
}

void Evidence::whiten(std::vector<double>& residuals) const {
  solve_lower(lower_, residuals);
}

std::vector<double> Evidence::covariances(const StepPoint& point) const {
  std::vector<double> row;
  for (const Used& used : used_) row.push_back(covariance(point, used.point));
  return row;
}

std::vector<double> Evidence::shift_weights(const StepPoint& point) const {
  const std::vector<double> row = covariances(point);
  std::vector<double> weights(used_.size(), 0.0);
  for (std::size_t i = 0; i < used_.size(); ++i)
    for (std::size_t k = 0; k < used_.size(); ++k) weights[i] += inverse_(i, k) * row[k];
  return weights;
}

double Evidence::shift_covariance(const StepPoint& one, const StepPoint& other) const {
  const std::vector<double> weights = shift_weights(one);
  const std::vector<double> row = covariances(other);
  return std::inner_product(weights.begin(), weights.end(), row.begin(), covariance(one, other), std::plus(),
                            [](double weight, double value) { return -weight * value; });
}

Evidence::Shift Evidence::conditional(std::size_t index, const std::vector<double>& residuals) const {
  double sum = 0;
  for (std::size_t k = 0; k < used_.size(); ++k) sum += inverse_(index, k) * residuals[k];
  const double precision = inverse_(index, index);
  return {residuals[index] - sum / precision, 1 / std::sqrt(precision)};
}

std::optional<std::size_t> Evidence::used_index(std::size_t observation) const {
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (used_[i].observation == observation) return i;
  return std::nullopt;
}

}  // namespace ringside
