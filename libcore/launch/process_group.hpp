#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "launch/rank_group.hpp"
#include "launch/rank_process.hpp"
#include "protocol/message.hpp"
#include "protocol/progress_cells.hpp"

namespace ringside {

// Rank processes on this host, joined to the coordinator by sockets. The coordinator sleeps in poll, serves
// the ranks' bootstrap, drains what they print, and ends all of them when one is lost or late.
class ProcessGroup final : public RankGroup {
 public:
  // Starts the processes, with these variables beside the environment of this one. Throws SystemError when
  // there can't be so many; nothing is left running then.
  explicit ProcessGroup(int ranks, const std::vector<std::pair<std::string, std::string>>& environment = {});
  ~ProcessGroup() override;

  // What comes first: makes the ranks ready.
  TurnOutcome begin(const GroupSettings& settings, std::chrono::nanoseconds timeout);
  TurnOutcome ask(const std::string& request, std::chrono::nanoseconds timeout) override;
  TurnOutcome end() override;

 private:
  struct Turn;  // what has come in since the request

  TurnOutcome ask_as(MessageType type, const std::string& body, std::chrono::nanoseconds timeout);
  void poll_once(Turn& turn, std::chrono::milliseconds timeout);
  void take(Turn& turn, RankProcess& process, Message message);
  void answer_gather(Turn& turn, MessageType type);
  TurnOutcome end_with(TurnOutcome::Kind kind, const Turn& turn, std::vector<int> ranks);
  std::string describe(int rank, bool late);
  std::vector<int> stopped() const;
  void add_output(int rank, std::vector<std::string>& evidence);
  void end_all();

  ProgressCells cells_;
  std::vector<std::unique_ptr<RankProcess>> processes_;
  bool alive_ = true;
};

class ProcessGroupFactory final : public RankGroupFactory {
 public:
  StartedGroup start(const GroupSettings& settings, std::chrono::nanoseconds timeout) override;
};

}  // namespace ringside
