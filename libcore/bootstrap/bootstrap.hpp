#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"

namespace ringside {

// Memory of one rank for the others of its host, handed over as descriptors. Collective, as a Bootstrap is.
class PeerMemory {
 public:
  virtual ~PeerMemory() = default;
  // Everybody's descriptor, by rank (own duplicates; this rank's too). `mine` stays with the caller.
  virtual std::vector<UniqueFd> all_gather_fd(int mine) = 0;
};

// Bytes between ranks outside the measured path. All calls are collective and made in the same order on every
// rank; each throws when a peer or the coordinator is gone.
class Bootstrap {
 public:
  virtual ~Bootstrap() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  // Everybody's bytes, by rank.
  virtual std::vector<std::string> all_gather(std::string_view mine) = 0;
  void barrier() { all_gather({}); }
  // Of the ranks of one host. Lives as long as the bootstrap.
  virtual PeerMemory& peer_memory() = 0;
};

}  // namespace ringside
