#pragma once

#include <vector>

#include "doctor/box_facts.hpp"

namespace ringside {

// Which transport NCCL takes between two GPUs of one process group on this host, by the rules of 2.30.7
// (src/graph/paths.cc); one prediction for each pair of GPUs. Where a fact is missing there is
// no path, and `because` names it.
std::vector<PathPrediction> predict_transports(const BoxFacts& facts);

}  // namespace ringside
