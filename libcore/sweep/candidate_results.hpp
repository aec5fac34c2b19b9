#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/requests.hpp"
#include "sweep/group_attempt.hpp"

namespace ringside {

// Steps of an attempt that only its results know of.

// Notes first call, NCCL's calls and choice of a case that was prepared. The reason where this machine has no
// such way.
std::optional<std::string> note_prepared(const std::vector<PrepareReply>& replies, CandidateResult& result);

// Drops the samples behind the last whole round.
void keep_whole_rounds(int rounds, int samples_per_round, std::vector<CandidateResult>& results);

void note_disturbance(const Disturbance& disturbance, std::vector<CandidateResult>& results);

// What touching the data took in each whole round, for the candidate at `slot`; `touches_ns`: by slot and
// round. It is the same work for all candidates, so of each round the median of all counts, unless some make
// more calls on purpose.
std::vector<double> touches_of(const std::vector<Candidate>& candidates,
                               const std::vector<std::vector<double>>& touches_ns, std::size_t slot,
                               int rounds);

// Whether the median of some candidate lies below the floor by the limits as they are.
bool any_below_floor(const std::vector<Candidate>& candidates, InputState input, const AttemptResult& result);

}  // namespace ringside
