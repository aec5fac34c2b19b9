#include "spec/acceptance.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"

namespace ringside {

Acceptance Acceptance::from_rate(double rate) {
  if (!(rate >= 0 && rate <= 1)) throw UsageError("an acceptance rate lies between 0 and 1");
  return Acceptance({rate});
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
  return Acceptance(std::move(conditional));
}

// tokens() rises with the rate from 1 to levels + 1, so halving finds it.
Acceptance Acceptance::from_length(double length, int levels) {
  if (!(length >= 1 && length <= levels + 1))
    throw UsageError("an acceptance length lies between 1 and the drafted levels + 1");
  double low = 0;
  double high = 1;
  constexpr int kHalvings = 60;  // a double has 53 bits
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (from_rate(middle).tokens(levels) < length ? low : high) = middle;
  }
  return from_rate(high);
}

double Acceptance::conditional(int level) const {
  return conditional_[std::min(static_cast<std::size_t>(std::max(level, 0)), conditional_.size() - 1)];
}

double Acceptance::tokens(int levels) const {
  double tokens = 1;
  double reached = 1;
  for (int level = 0; level < levels; ++level) tokens += reached *= conditional(level);
  return tokens;
}

}  // namespace ringside
