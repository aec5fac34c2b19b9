#pragma once

#include <vector>

namespace ringside {

// How many drafted tokens a target accepts. A draft is a chain of levels (a tree has several candidates on
// each); level i is accepted only when all before it were, with the probability `conditional[i]` then. A step
// gives the accepted tokens and one more, which the verify pass itself brings.
class Acceptance {
 public:
  // The same rate at every level. 0 <= rate <= 1.
  static Acceptance from_rate(double rate);
  // Shares of all drafts whose level 1, 2, ... was accepted, as a server prints them (never rising). Levels
  // behind the list go on with the rate of its last one.
  static Acceptance from_marginals(const std::vector<double>& accepted);
  // The one rate at which `levels` levels give `length` tokens a step. 1 <= length <= levels + 1.
  static Acceptance from_length(double length, int levels);

  // P(level is accepted | those before were); levels count from 0.
  double conditional(int level) const;
  // Expected tokens of a step that drafts so many levels: 1 for none.
  double tokens(int levels) const;

 private:
  explicit Acceptance(std::vector<double> conditional) : conditional_(std::move(conditional)) {}
  std::vector<double> conditional_;  // the last one holds for all that follow
};

}  // namespace ringside
