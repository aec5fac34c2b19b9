#pragma once

#include "bootstrap/bootstrap.hpp"
#include "protocol/message.hpp"
#include "protocol/progress_cells.hpp"

namespace ringside {

// A rank's bootstrap through the coordinator, which collects one message from every rank and hands all of
// them to each.
class SocketBootstrap final : public Bootstrap, public PeerMemory {
 public:
  // `socket` and `cell` belong to the caller.
  SocketBootstrap(int socket, MessageReader& reader, ProgressCell& cell, int rank, int ranks)
      : socket_(socket), reader_(reader), cell_(cell), rank_(rank), ranks_(ranks) {}

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  std::vector<std::string> all_gather(std::string_view mine) override;
  std::vector<UniqueFd> all_gather_fd(int mine) override;
  PeerMemory& peer_memory() override { return *this; }

 private:
  Message answer(MessageType type);

  int socket_;
  MessageReader& reader_;
  ProgressCell& cell_;
  int rank_;
  int ranks_;
};

}  // namespace ringside
