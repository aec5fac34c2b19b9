#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/rank_group.hpp"
#include "protocol/requests.hpp"

namespace ringside {

// Why a request to the ranks came to nothing.
struct TurnFailure {
  TurnOutcome::Kind kind = TurnOutcome::Kind::error;
  std::string message;
  std::vector<std::string> evidence;
};

// The ranks of one launch, renewed when they have ended.
class RenewableGroup {
 public:
  // `timeout`: for each request, and for the start.
  RenewableGroup(RankGroupFactory& factory, GroupSettings settings, std::chrono::nanoseconds timeout)
      : factory_(factory), settings_(std::move(settings)), timeout_(timeout) {}

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
  RankGroupFactory& factory_;
  GroupSettings settings_;
  std::chrono::nanoseconds timeout_;
  std::unique_ptr<RankGroup> group_;
};

}  // namespace ringside
