#pragma once

#include <vector>

#include "base/heard_range.hpp"
#include "model/row.hpp"
#include "protocol/requests.hpp"

namespace ringside {

// What the replies of all ranks, by rank, come to.

// The slowest rank's time of each repetition, per call; ns.
std::vector<double> slowest_per_call(const std::vector<SampleReply>& replies, int calls);

// Of each of NCCL's calls the rank that spent most time in it.
std::vector<HeardRange> slowest_calls(const std::vector<PrepareReply>& replies);

// The last rank's time holds its delay; of the others the slowest counts.
SkewRecord describe_skew(const std::vector<SampleReply>& replies, double delay_ns);

}  // namespace ringside
