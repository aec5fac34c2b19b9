#include "spec/acceptance.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr double kDecay = 0.95;  // of the rates that a length stands for

}  // namespace

Acceptance Acceptance::from_rate(double rate) {
  if (!(rate >= 0 && rate <= 1)) throw UsageError("an acceptance rate lies between 0 and 1");
  return Acceptance({rate}, 1, Behind::hold);
}

Acceptance Acceptance::from_marginals(const std::vector<double>& accepted) {
  if (accepted.empty()) throw UsageError("a list of acceptance rates needs one at least");
  std::vector<double> conditional;
  double before = 1;
  for (const double share : accepted) {
    if (!(share >= 0 && share <= before)) {
      throw UsageError(
          "acceptance rates by position lie between 0 and 1 and never rise: a position is accepted only "
          "where the one before was");
    }
    conditional.push_back(before > 0 ? share / before : 0);
    before = share;
  }
  const int measured = static_cast<int>(conditional.size());
  return Acceptance(std::move(conditional), measured, Behind::rule);
}

// The length rises with the first rate from 1 to levels + 1 (rates end at 1), so halving finds it.
Acceptance Acceptance::from_length(double length, int levels) {
  if (!(length >= 1 && length <= levels + 1))
    throw UsageError("an acceptance length lies between 1 and the drafted levels + 1");
  const auto with_first = [&](double first) {
    std::vector<double> rates;
    for (int level = 0; level < levels; ++level)
      rates.push_back(std::min(1.0, first * std::pow(kDecay, level)));
    return Acceptance(std::move(rates), levels, Behind::decay);
  };
  double low = 0;
  double high = std::pow(kDecay, -levels);
  constexpr int kHalvings = 60;  // a double has 53 bits
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (with_first(middle).tokens(levels) < length ? low : high) = middle;
  }
  return with_first(high);
}

Acceptance Acceptance::from_lengths(const std::vector<double>& lengths) {
  if (lengths.empty()) throw UsageError("a list of acceptance lengths needs one at least");
  std::vector<double> conditional;
  double before = 1;   // length
  double reached = 1;  // the level before
  for (std::size_t level = 0; level < lengths.size(); ++level) {
    if (!(lengths[level] >= 1 && lengths[level] <= static_cast<double>(level) + 2))
      throw UsageError("an acceptance length lies between 1 and the drafted levels + 1");
    const double gain = std::clamp(lengths[level] - before, 0.0, reached);
    conditional.push_back(reached > 0 ? gain / reached : 0);
    before = std::max(before, lengths[level]);
    reached = gain;
  }
  const int measured = static_cast<int>(conditional.size());
  Acceptance acceptance(std::move(conditional), measured, Behind::rule);
  acceptance.lengths_ = lengths;
  return acceptance;
}

Acceptance Acceptance::with_width(double candidates) const {
  Acceptance wide = *this;
  wide.width_ = std::max(candidates, 1.0);
  return wide;
}

double Acceptance::conditional(int level) const {
  if (conditional_.empty()) return 0;
  const auto at = static_cast<std::size_t>(std::max(level, 0));
  if (at < conditional_.size()) return conditional_[at];
  const auto behind = static_cast<double>(at - (conditional_.size() - 1));
  const double last = conditional_.back();
  switch (behind_) {
    case Behind::hold:
      return last;
    case Behind::decay:
      return last * std::pow(kDecay, behind);
    case Behind::rule:
      break;
  }
  if (last <= 0) return 0;
  // p' = 0.8 p + 0.1 as often: towards 0.5.
  return 0.5 + (last - 0.5) * std::pow(0.8, behind);
}

double Acceptance::tokens(int levels) const {
  if (levels > 0 && static_cast<std::size_t>(levels) <= lengths_.size())
    return lengths_[static_cast<std::size_t>(levels) - 1];
  double tokens = 1;
  double reached = 1;
  for (int level = 0; level < levels; ++level) tokens += reached *= conditional(level);
  return tokens;
}

double Acceptance::tree_tokens(int levels, double candidates) const {
  if (levels <= 0 || candidates <= 0) return 1;
  const double each = std::max(1.0, candidates / levels);
  if (each >= width_ && candidates >= levels) return tokens(levels);
  constexpr double kPower = 0.1;
  const double share = std::pow(std::min(1.0, each / width_), kPower);
  double tokens = 1;
  double reached = 1;
  double left = candidates;
  for (int level = 0; level < levels && left > 0; ++level, left -= each) {
    reached *= share * conditional(level);
    tokens += std::min(1.0, left) * reached;
  }
  return tokens;
}

double Acceptance::sigma(int levels) const {
  constexpr double kMeasured = 0.01;
  constexpr double kFewer = 0.025;  // fewer levels than a length was measured with
  constexpr double kPreset = 0.15;  // other prompts; the same model's modes differ by 2 to 20 %
  const int beyond = levels - measured_;
  double sigma = kMeasured;
  if (beyond > 0) {
    const double base = measured_ <= 1 ? 0.05 : behind_ == Behind::decay && measured_ <= 2 ? 0.06 : 0.04;
    sigma = std::hypot(kMeasured, base * std::sqrt(beyond));
  } else if (beyond < 0 && behind_ == Behind::decay) {
    sigma = kFewer;
  }
  return prior_ ? std::hypot(sigma, kPreset) : sigma;
}

}  // namespace ringside
