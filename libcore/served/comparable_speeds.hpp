#pragma once

#include <string>
#include <vector>

#include "model/interval.hpp"
#include "served/speed_reading.hpp"

namespace ringside {

// A speed with speculation beside one without.
struct SpeedComparison {
  std::string reason;   // why they can't be compared: "context 2K and 30K"; empty: they can
  double ratio = 0;     // with over without; 0 where they can't
  Interval interval;    // of the ratio, from the spread of both over their windows
  bool few = false;     // one of them has a single window: the interval is not known and has no width
  std::string unknown;  // what could not be checked: "context", "context and arguments"; empty: nothing
};

// Compares them where batch and ranks are equal, mean context differs by 25 % at most and the logged
// arguments agree, those of speculation itself set aside. What a source doesn't say is no reason; it is named
// in `unknown`.
SpeedComparison compare_speeds(const SpeedReading& plain, const SpeedReading& speculative);

// A plain reading and a speculative one of the same list, with their comparison.
struct SpeedPair {
  const SpeedReading* plain = nullptr;
  const SpeedReading* speculative = nullptr;
  SpeedComparison comparison;
};

// All pairs with both speeds: those that can be compared first, then by batch. The pointers lead into
// `readings`.
std::vector<SpeedPair> pairs_of(const std::vector<SpeedReading>& readings);

}  // namespace ringside
