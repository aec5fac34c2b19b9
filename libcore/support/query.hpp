#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/units.hpp"
#include "model/case.hpp"

namespace ringside {

// How the worst pair of a group's GPUs is joined: by NVLink, by peer access over something else, or not at
// all.
enum class PairLink { nvlink, peer, none };

// One allreduce of a server, as far as it is known. What is absent is not known.
struct SupportQuery {
  int ranks = 0;  // of the group, all on one host
  Bytes bytes;
  DType dtype = DType::bf16;
  Mode mode = Mode::graph;
  std::optional<int> compute_capability{};  // 90 for 9.0; the same for all GPUs
  std::optional<PairLink> link{};
  std::optional<bool> multicast{};  // whether memory of the group can be bound to a multicast object
  std::optional<int> nccl{};        // 22703 for 2.27.3
  // Variables and flags as they are set ("on" for a flag without a value). What is absent has its default.
  std::map<std::string, std::string> switches{};
  std::map<std::string, bool> facts{};  // those that the table of the framework names
};

}  // namespace ringside
