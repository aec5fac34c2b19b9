#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/interval.hpp"
#include "spec/estimate/point.hpp"

namespace ringside {

// A quantity that is known with a probability: median and the middle 90 %.
struct SpeedRange {
  double median = 0;
  double low = 0;   // 5 %
  double high = 0;  // 95 %

  double width() const { return high / low; }  // of a positive quantity
};

enum class SpeedVerdict { firm_pays, likely_pays, open, likely_loses, firm_loses };

std::string_view to_string(SpeedVerdict verdict);

// What a server would do that fell into the slow path (graphs lost): beside the main component, never in it.
struct SlowPath {
  double probability = 0;
  std::optional<SpeedRange> speedup;  // none where the acceptance length is not known
  double tokens_s = 0;                // median; 0 where the length is not known
};

// With speculation against without, at one point.
struct SpeedUp {
  StepPoint point;
  std::optional<SpeedRange> speedup;   // main component; none: the acceptance length is not known
  std::optional<SpeedRange> plain;     // tokens a second without speculation, of the whole server
  std::optional<SpeedRange> tokens_s;  // with speculation
  SpeedRange break_even;               // acceptance length at which both are as fast; main component
  double pays = 0;                     // probability over both components; 0 where the length is not known
  SlowPath slow;
  SpeedVerdict verdict = SpeedVerdict::open;
  double effective_draws = 0;
  bool measured = false;   // both speeds were measured at this very point: they bind it
  bool slow_seen = false;  // the observations are those of the slow path: the estimates above are its own
  std::vector<std::string> doubts;  // why the verdict can't be firm, one phrase each
};

// A measured speed beside what the model says of it.
struct ObservedSpeed {
  StepPoint point;
  std::string source;
  double measured = 0;                 // tokens a second
  SpeedRange fitted;                   // by the posterior of all observations
  std::optional<SpeedRange> left_out;  // by the posterior of all others; from three observations on
  std::string impossible;              // why it can't be, where it is beyond a floor; then it is not used
};

// Share of the variance of log(speed-up) that one unknown or input brings.
struct Uncertainty {
  std::string input;   // "fixed time of a draft step"
  double share = 0;    // 0 to 1
  std::string remedy;  // "run speculation once at batch 8"
};

}  // namespace ringside
