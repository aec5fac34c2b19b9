#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "launch/rank_group.hpp"
#include "protocol/requests.hpp"

namespace ringside {

// Why a request to the ranks came to nothing.
struct TurnFailure {
  TurnOutcome::Kind kind = TurnOutcome::Kind::error;
  std::string message;
  std::vector<std::string> evidence;
  bool at_deadline = false;  // the command's time was over; the ranks have done nothing wrong
};

// The ranks of one launch, renewed when they have ended.
class RenewableGroup {
 public:
  // `timeout`: for each request, and for the start.
  RenewableGroup(RankGroupFactory& factory, GroupSettings settings, std::chrono::nanoseconds timeout)
      : factory_(factory), settings_(std::move(settings)), timeout_(timeout) {}

  // After `deadline` no request is waited for: its failure is `at_deadline`. The clock must outlive it.
  void set_deadline(const Clock& clock, TimePoint deadline) {
    clock_ = &clock;
    deadline_ = deadline;
  }

  // The cores of the ranks at the next start.
  void use_cores(std::vector<int> cores) { settings_.device.cores = std::move(cores); }
  const GroupSettings& settings() const { return settings_; }

  // Fresh processes at the next start(). The failure: ranks that had died, or did not end by themselves.
  std::optional<TurnFailure> renew();

  // Starts ranks where there are none. The failure: ranks were lost meanwhile, and none is there. Throws as
  // RankGroupFactory::start() does.
  std::optional<TurnFailure> start();

  // Asks all ranks; their answers by rank in `replies`, or the failure. After a failure that ended the ranks
  // the next request needs start().
  std::optional<TurnFailure> ask(const Request& request, std::vector<std::string>& replies);
  std::optional<TurnFailure> ask(const Request& request);

  template <typename Reply>
  std::optional<TurnFailure> ask(const Request& request, std::vector<Reply>& replies) {
    std::vector<std::string> texts;
    if (auto failure = ask(request, texts)) return failure;
    replies.resize(texts.size());
    for (std::size_t rank = 0; rank < texts.size(); ++rank) decode(texts[rank], replies[rank]);
    return std::nullopt;
  }

 private:
  // What is left until the deadline, `usual` at most.
  std::chrono::nanoseconds allowed(std::chrono::nanoseconds usual) const;
  TurnFailure failure(TurnOutcome&& outcome, bool cut_short) const;

  RankGroupFactory& factory_;
  GroupSettings settings_;
  std::chrono::nanoseconds timeout_;
  const Clock* clock_ = nullptr;
  TimePoint deadline_{};
  std::unique_ptr<RankGroup> group_;
};

}  // namespace ringside
