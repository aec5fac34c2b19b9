#include "sweep/renewable_group.hpp"

#include <algorithm>

namespace ringside {
namespace {

// A turn takes milliseconds; a process, a CUDA context and its libraries take longer, whatever a turn may
// take.
constexpr std::chrono::seconds kLeastStart{5};
constexpr std::chrono::seconds kLeastCudaStart{60};

}  // namespace

std::chrono::nanoseconds RenewableGroup::allowed(std::chrono::nanoseconds usual) const {
  if (clock_ == nullptr) return usual;
  return std::clamp<std::chrono::nanoseconds>(deadline_ - clock_->now(), std::chrono::milliseconds(1), usual);
}

TurnFailure RenewableGroup::failure(TurnOutcome&& outcome, bool cut_short) const {
  TurnFailure failure{outcome.kind, std::move(outcome.message), std::move(outcome.evidence)};
  failure.at_deadline = cut_short && outcome.kind == TurnOutcome::Kind::timeout;
  return failure;
}

std::optional<TurnFailure> RenewableGroup::start() {
  if (group_) return std::nullopt;
  const auto least = settings_.device.kind == DeviceKind::cuda ? kLeastCudaStart : kLeastStart;
  const std::chrono::nanoseconds usual = std::max<std::chrono::nanoseconds>(timeout_, least);
  const std::chrono::nanoseconds time = allowed(usual);
  StartedGroup started = factory_.start(settings_, time);
  group_ = std::move(started.group);
  if (group_) return std::nullopt;
  return failure(std::move(started.outcome), time < usual);
}

std::optional<TurnFailure> RenewableGroup::ask(const Request& request, std::vector<std::string>& replies) {
  const std::chrono::nanoseconds time = allowed(timeout_);
  TurnOutcome outcome = group_->ask(encode(request), time);
  if (!outcome.alive) group_.reset();
  if (outcome.kind != TurnOutcome::Kind::ok) return failure(std::move(outcome), time < timeout_);
  replies = std::move(outcome.replies);
  return std::nullopt;
}

std::optional<TurnFailure> RenewableGroup::renew() {
  if (!group_) return std::nullopt;
  TurnOutcome outcome = group_->end();
  group_.reset();
  if (outcome.kind == TurnOutcome::Kind::ok) return std::nullopt;
  return failure(std::move(outcome), false);
}

std::optional<TurnFailure> RenewableGroup::ask(const Request& request) {
  std::vector<std::string> ignored;
  return ask(request, ignored);
}

}  // namespace ringside
