#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// How many drafted tokens a target accepts. A draft is a chain of levels (a tree has several candidates on
// each); level i is accepted only when all before it were, with the probability conditional(i) then. A step
// gives the accepted tokens and one more, which the verify pass itself brings.
//
// Behind the measured levels p' = 0.8 p + 0.1, with a band of 4 % x sqrt(levels behind them): of five rules
// the best on 14 published curves (scenarios/acceptance/golden.toml), 4 to 10 % root mean square of the
// length.
class Acceptance {
 public:
  // The same rate at every level. 0 <= rate <= 1.
  static Acceptance from_rate(double rate);
  // Shares of all drafts whose level 1, 2, ... was accepted, as a server prints them (never rising).
  static Acceptance from_marginals(const std::vector<double>& accepted);
  // Rates that fall by 5 % a level, p_i = p_1 x 0.95^(i-1), of which `levels` give `length` tokens a step.
  // 1 <= length <= levels + 1.
  static Acceptance from_length(double length, int levels);
  // Mean lengths by number of drafts, 1, 2, ..., each from a run of its own: they need not rise.
  static Acceptance from_lengths(const std::vector<double>& lengths);
  // A published curve: "kimi-k2.5" or "kimi-k2.5:on" with thinking, "kimi-k2.5:off" without; "golden:" may
  // stand before it. A prior: never firm by itself. Throws UsageError that lists the names.
  static Acceptance preset(std::string_view name);
  static std::vector<std::string> preset_names();

  // The same, measured with so many candidates at each level of a tree (1: a chain).
  Acceptance with_width(double candidates) const;

  // P(level is accepted | those before were); levels count from 0.
  double conditional(int level) const;
  // Expected tokens of a step that drafts so many levels: 1 for none.
  double tokens(int levels) const;
  // The same with so many candidates in all (the root not among them), spread over the levels. A level counts
  // by its candidates, never as a whole for one of them: with fewer than it was measured with, its rate falls
  // with the 0.1th power of their share (assumed); more add nothing.
  double tree_tokens(int levels, double candidates) const;

  // One sigma of log(length) at so many levels.
  double sigma(int levels) const;
  int measured_levels() const { return measured_; }
  double width() const { return width_; }
  bool is_prior() const { return prior_; }               // a preset
  const std::string& source() const { return source_; }  // of a preset, for messages

 private:
  enum class Behind { hold, rule, decay };  // what follows the list of rates

  Acceptance(std::vector<double> conditional, int measured, Behind behind)
      : conditional_(std::move(conditional)), measured_(measured), behind_(behind) {}

  std::vector<double> conditional_;
  std::vector<double> lengths_;  // measured ones by levels, where each is a run of its own
  int measured_ = 0;             // levels that were measured, or that the length stands for
  Behind behind_ = Behind::rule;
  double width_ = 1;
  bool prior_ = false;
  std::string source_;
};

}  // namespace ringside
