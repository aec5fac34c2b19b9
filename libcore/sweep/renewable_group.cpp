#include "sweep/renewable_group.hpp"

namespace ringside {

std::optional<TurnFailure> RenewableGroup::ask(const Request& request, std::vector<std::string>& replies) {
  TurnOutcome outcome = group_->ask(encode(request), timeout_);
  if (!outcome.alive) group_.reset();
  if (outcome.kind != TurnOutcome::Kind::ok)
    return TurnFailure{outcome.kind, outcome.message, outcome.evidence};
  replies = std::move(outcome.replies);
  return std::nullopt;
}

std::optional<TurnFailure> RenewableGroup::renew() {
  if (!group_) return std::nullopt;
  const TurnOutcome outcome = group_->end();
  group_.reset();
  if (outcome.kind == TurnOutcome::Kind::ok) return std::nullopt;
  return TurnFailure{outcome.kind, outcome.message, outcome.evidence};
}

std::optional<TurnFailure> RenewableGroup::ask(const Request& request) {
  std::vector<std::string> ignored;
  return ask(request, ignored);
}

}  // namespace ringside
