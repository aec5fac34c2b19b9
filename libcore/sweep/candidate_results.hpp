#pragma once

#include <optional>
#include <set>
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

// Whether the case is wrong behind a producer that writes late when it is verified once more.
bool wrong_again(RenewableGroup& ranks, int slot, VerifyPlan plan);

// Takes those of the rank group out of the candidates, and returns them.
std::vector<Candidate> take_out(std::vector<Candidate>& candidates, std::size_t rank_group);

// The rank groups of the candidates, ascending.
std::vector<std::size_t> rank_groups_of(const std::vector<Candidate>& candidates);

// Takes the touching off the samples, or notes why they are no times.
void note_touch(const std::vector<double>& touches_ns, const std::set<int>& disturbed,
                CandidateResult& result);

// Whether the median of some candidate lies below the floor by the limits as they are.
bool any_below_floor(const std::vector<Candidate>& candidates, InputState input, const AttemptResult& result);

}  // namespace ringside
