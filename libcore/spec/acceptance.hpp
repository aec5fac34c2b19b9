#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// How many drafted tokens a target accepts. A draft is a chain of levels (a tree has several candidates on
// each); level i is accepted only when all before it were, with the probability `conditional[i]` then. A step
// gives the accepted tokens and one more, which the verify pass itself brings.
//
// Behind the measured levels p' = 0.8 p + 0.1, with a band of 4 % x sqrt(levels behind them): of five rules
// the best on 14 published curves (SPEED-Bench coding, B300; root mean square 4 to 10 % of the length).
class Acceptance {
 public:
  // The same rate at every level. 0 <= rate <= 1.
  static Acceptance from_rate(double rate);
  // Shares of all drafts whose level 1, 2, ... was accepted, as a server prints them (never rising).
  static Acceptance from_marginals(const std::vector<double>& accepted);
  // The levels whose rates fall by 5 % each, p_i = p_1 x 0.95^(i-1), and of which `levels` give `length`
  // tokens a step. 1 <= length <= levels + 1.
  static Acceptance from_length(double length, int levels);
  // Mean lengths by number of drafts, 1, 2, ..., each from a run of its own.
  static Acceptance from_lengths(const std::vector<double>& lengths);
  // A published curve: "kimi-k2.5", "kimi-k2.5:off" (without thinking; "on" or nothing: with it), with or
  // without "golden:" before it. A prior: never firm by itself. Throws UsageError that lists the names.
  static Acceptance preset(std::string_view name);
  static std::vector<std::string> preset_names();

  // P(level is accepted | those before were); levels count from 0.
  double conditional(int level) const;
  // Expected tokens of a step that drafts so many levels: 1 for none.
  double tokens(int levels) const;
  // The same of a tree with fewer or more candidates at a level than the acceptance was measured with: a
  // level counts by its candidates, never as a whole for one of them. `candidates`: without the root.
  double tree_tokens(int levels, double candidates, double measured_width) const;

  // One sigma of log(length) at so many levels.
  double sigma(int levels) const;
  int measured_levels() const { return measured_; }
  bool is_prior() const { return prior_; }  // a preset
  const std::string& source() const { return source_; }

 private:
  explicit Acceptance(std::vector<double> conditional, int measured, bool hold = false)
      : conditional_(std::move(conditional)), measured_(measured), hold_(hold) {}
  std::vector<double> conditional_;
  int measured_ = 0;
  bool hold_ = false;        // one rate for all levels
  double length_sigma_ = 0;  // of a length that stands for all levels
  int length_levels_ = 0;    // the levels that the length was measured with
  bool prior_ = false;
  std::string source_;
};

}  // namespace ringside
