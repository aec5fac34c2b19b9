#include "sweep/renewable_group.hpp"

#include <algorithm>

namespace ringside {
namespace {

// A turn takes milliseconds; a process, a CUDA context and its libraries take longer, whatever a turn may
// take.
constexpr std::chrono::seconds kLeastStart{5};
constexpr std::chrono::seconds kLeastCudaStart{60};

}  // namespace

std::optional<TurnFailure> RenewableGroup::start() {
  if (group_) return std::nullopt;
  const auto least = settings_.device.kind == DeviceKind::cuda ? kLeastCudaStart : kLeastStart;
  StartedGroup started = factory_.start(settings_, std::max<std::chrono::nanoseconds>(timeout_, least));
  group_ = std::move(started.group);
  if (group_) return std::nullopt;
  return TurnFailure{started.outcome.kind, started.outcome.message, started.outcome.evidence};
}

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
