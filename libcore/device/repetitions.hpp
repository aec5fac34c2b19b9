#pragma once

#include <span>
#include <vector>

#include "bootstrap/bootstrap.hpp"

namespace ringside {

// Every rank's numbers, by rank. Collective.
std::vector<std::vector<double>> gather(Bootstrap& bootstrap, std::span<const double> mine);

// The slowest rank's time of each repetition; all ranks give as many. Collective.
std::vector<double> slowest_of_ranks(Bootstrap& bootstrap, std::span<const double> mine);
double slowest_of_ranks(Bootstrap& bootstrap, double mine);

// The best of repetitions: limits are what can be reached, not what is usual.
struct Fastest {
  double time_ns = 0;
  // How well the best repeats: the repetitions fall into up to five stretches, one after the other; (median
  // of the stretches' bests - best) / best.
  double scatter = 0;
};
Fastest fastest(std::span<const double> times_ns);   // not empty
Fastest faster(const Fastest& a, const Fastest& b);  // one without a time stands back

}  // namespace ringside
