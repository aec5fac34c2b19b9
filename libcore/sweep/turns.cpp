#include "sweep/turns.hpp"

#include <algorithm>

#include "stats/clean_rounds.hpp"
#include "sweep/group_verdict.hpp"

namespace ringside {

Turns::Turns(const Plan& plan)
    : plan_(plan),
      turns_(static_cast<std::size_t>(std::max(plan.request.launches, 0)),
             std::vector<Turn>(plan.groups.size())) {}

// A turn that is made again counts as the better one does.
void Turns::note(int launch, std::size_t group, const AttemptResult& result) {
  started_ = true;
  Turn& turn = turns_[static_cast<std::size_t>(launch)][group];
  const std::size_t undisturbed =
      static_cast<std::size_t>(result.rounds) - result.disturbance.disturbed.size();
  const std::chrono::nanoseconds took = std::max(turn.took, result.setup + result.timed);
  if (!turn.had || undisturbed > turn.undisturbed)
    turn = {true, false, result.rounds, undisturbed, result.reason, took};
  turn.took = took;
}

void Turns::note_failed(int launch, std::size_t group) {
  started_ = true;
  Turn& turn = turns_[static_cast<std::size_t>(launch)][group];
  turn.had = turn.failed = true;
}

std::vector<std::size_t> Turns::groups_for(int launch) const {
  std::vector<std::size_t> groups;
  for (std::size_t group = 0; group < plan_.groups.size(); ++group) {
    if (launch == 0 || turns_.front()[group].had) groups.push_back(group);
  }
  return groups;
}

int Turns::whole_launches() const {
  return static_cast<int>(std::ranges::count_if(turns_, [](const std::vector<Turn>& launch) {
    return !launch.empty() && std::ranges::all_of(launch, &Turn::had);
  }));
}

std::vector<std::size_t> Turns::wanting(int launch, Want want, const Document& document,
                                        std::chrono::nanoseconds left) const {
  std::vector<std::size_t> groups;
  for (const std::size_t group : groups_for(launch)) {
    const Turn& turn = turns_[static_cast<std::size_t>(launch)][group];
    const bool wants =
        want == Want::rounds ? wants_rounds(turn) : wants_longer(turn, left) && !decided(group, document);
    if (wants && !turn.failed) groups.push_back(group);
  }
  return groups;
}

bool Turns::wants_rounds(const Turn& turn) const {
  const auto wanted =
      std::min<std::size_t>(kFewestRounds, static_cast<std::size_t>(plan_.request.max_rounds));
  return !turn.had || (turn.reason == StopReason::budget && turn.undisturbed < wanted);
}

// One that can only be a little longer shows nothing new.
bool Turns::wants_longer(const Turn& turn, std::chrono::nanoseconds left) const {
  return turn.had && turn.reason == StopReason::budget && left > 2 * turn.took &&
         left > plan_.request.budget / 10;
}

bool Turns::decided(std::size_t group, const Document& document) const {
  std::vector<const Row*> rows;
  for (const std::size_t index : plan_.groups[group].cases) {
    const Row& row = document.rows[index];
    if (row.status == Status::pass && row.time) rows.push_back(&row);
  }
  return rows.size() < 2 || judge_rows(rows, plan_.request.launches).winner.has_value();
}

}  // namespace ringside
