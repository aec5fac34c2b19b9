#include "sweep/candidate_results.hpp"

#include <algorithm>

#include "stats/order.hpp"
#include "sweep/floor.hpp"
#include "sweep/slowest.hpp"
#include "sweep/touch.hpp"

namespace ringside {

std::optional<std::string> note_prepared(const std::vector<PrepareReply>& replies, CandidateResult& result) {
  double slowest = 0;
  for (const PrepareReply& reply : replies) {
    if (reply.unavailable) return reply.unavailable;
    slowest = std::max(slowest, reply.first_call_ns);
  }
  result.samples.first_call_ns = slowest;
  result.samples.nccl_calls = slowest_calls(replies);
  const PrepareReply& first = replies.front();  // all have the same choice; the first one its problem
  if (first.ran && first.chosen_by) {
    result.choice = StrategyChoice{*first.ran, *first.chosen_by, first.choice_problem};
    result.samples.ran = first.ran;
  }
  return std::nullopt;
}

void keep_whole_rounds(int rounds, int samples_per_round, std::vector<CandidateResult>& results) {
  const auto whole = static_cast<std::size_t>(rounds) * static_cast<std::size_t>(samples_per_round);
  for (CandidateResult& result : results) {
    std::vector<double>& samples = result.samples.samples_ns;
    samples.resize(std::min(samples.size(), whole));
  }
}

void note_disturbance(const Disturbance& disturbance, std::vector<CandidateResult>& results) {
  for (CandidateResult& result : results) {
    result.samples.disturbed_rounds.assign(disturbance.disturbed.begin(), disturbance.disturbed.end());
    result.samples.core_wait = disturbance.core_wait;
  }
}

std::vector<double> touches_of(const std::vector<Candidate>& candidates,
                               const std::vector<std::vector<double>>& touches_ns, std::size_t slot,
                               int rounds) {
  const bool alike = std::ranges::all_of(candidates, [](const Candidate& one) { return one.slowdown == 1; });
  std::vector<double> touches;
  for (std::size_t round = 0; round < static_cast<std::size_t>(rounds); ++round) {
    std::vector<double> all;
    for (const std::vector<double>& one : touches_ns) {
      if (round < one.size()) all.push_back(one[round]);
    }
    touches.push_back(alike ? median(all) : touches_ns[slot][round]);
  }
  return touches;
}

void note_touch(const std::vector<double>& touches_ns, const std::set<int>& disturbed,
                CandidateResult& result) {
  const TouchOutcome outcome = take_touch_off(touches_ns, disturbed, result.samples);
  if (outcome == TouchOutcome::no_time_left)
    result.no_time = "with its calls it took no longer than writing and reading the data alone";
  if (outcome == TouchOutcome::not_known)
    result.no_time =
        "other work had the cores, and what writing and reading the data take alone is not known";
}

bool wrong_again(RenewableGroup& ranks, int slot, VerifyPlan plan) {
  plan.plain_producer = false;
  std::vector<VerifyReply> replies;
  if (ranks.ask(Verify{slot, plan}, replies)) return true;  // the next request tells
  return std::ranges::any_of(replies, [](const VerifyReply& reply) { return reply.mismatch.has_value(); });
}

std::vector<Candidate> take_out(std::vector<Candidate>& candidates, std::size_t rank_group) {
  const auto theirs = std::ranges::stable_partition(
      candidates, [&](const Candidate& candidate) { return candidate.rank_group != rank_group; });
  const std::vector<Candidate> taken(theirs.begin(), theirs.end());
  candidates.erase(theirs.begin(), theirs.end());
  return taken;
}

std::vector<std::size_t> rank_groups_of(const std::vector<Candidate>& candidates) {
  std::set<std::size_t> used;
  for (const Candidate& candidate : candidates) used.insert(candidate.rank_group);
  return {used.begin(), used.end()};
}

bool any_below_floor(const std::vector<Candidate>& candidates, InputState input,
                     const AttemptResult& result) {
  if (!result.limits) return false;
  for (std::size_t slot = 0; slot < candidates.size(); ++slot) {
    const std::vector<double>& samples = result.results[slot].samples.samples_ns;
    const auto floor = floor_of(*candidates[slot].params, input, *result.limits);
    if (floor && !samples.empty() && below(median(samples), *floor)) return true;
  }
  return false;
}

}  // namespace ringside
