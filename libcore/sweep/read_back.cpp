#include "sweep/read_back.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace ringside {
namespace {

// What decides the library's choice.
using Question = std::tuple<std::string, Bytes, DType, Mode>;

Question question(const Case& params) {
  return {params.strategy, params.bytes, params.dtype, params.mode};
}

// The answers of the ranks to one call of the case, or why there are none.
std::optional<TurnFailure> call_once(RenewableGroup& ranks, const Case& params,
                                     std::vector<PrepareReply>& replies) {
  constexpr int kStarts = 3;
  for (int start = 1;; ++start) {
    const auto failure = ranks.start();
    if (!failure) break;
    if (start == kStarts) return failure;
  }
  BeginGroup group;
  group.message = params.bytes;
  if (auto failure = ranks.ask(group)) return failure;
  return ranks.ask(Prepare{0, params}, replies);
}

}  // namespace

bool asks_anything(const Plan& plan) {
  return std::any_of(plan.cases.begin(), plan.cases.end(),
                     [](const PlannedCase& planned) { return !planned.skipped && planned.strategy->asks(); });
}

void read_back(const Plan& plan, std::size_t rank_group, RenewableGroup& ranks, SweepRows& rows,
               const AttemptHooks& hooks) {
  std::map<Question, std::optional<LibraryReport>> known;
  std::map<Question, AttemptResult::Failed> failed;
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const PlannedCase& planned = plan.cases[index];
    const auto asked = planned.strategy->asks();
    if (planned.rank_group != rank_group || !asked || !rows.open(index)) continue;
    if (hooks.stop_requested()) return;
    const Question key = question(planned.params);
    if (!known.contains(key) && !failed.contains(key)) {
      hooks.turn(planned.params, "read back");
      std::vector<PrepareReply> replies;
      if (const auto failure = call_once(ranks, planned.params, replies)) {
        if (failure->at_deadline) return;  // what is left is not known
        failed[key] = {index, false, false, *failure};
      } else if (replies.front().unavailable) {
        failed[key] = {index, false, true, {TurnOutcome::Kind::error, *replies.front().unavailable, {}}};
      } else {
        // NCCL reports on one rank only.
        const auto told = std::find_if(replies.begin(), replies.end(), [](auto& reply) { return reply.ran; });
        known[key] =
            told == replies.end() ? std::nullopt : std::optional(LibraryReport{*told->ran, told->channels});
      }
    }
    if (const auto failure = failed.find(key); failure != failed.end()) {
      failure->second.case_index = index;
      rows.fail(failure->second);
    } else {
      rows.note_choice(index, *asked, known[key]);
    }
  }
}

}  // namespace ringside
