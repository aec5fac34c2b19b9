#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "bootstrap/bootstrap.hpp"

namespace ringside {

// GPU memory of the same size on every rank, the reachable peers' mapped here.
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  // Where rank r's memory lies in this process; null when this rank's GPU can't reach it.
  virtual const std::vector<std::byte*>& bases() const = 0;
  virtual Bytes size() const = 0;
  // How the ranks share it: "file descriptors" or "CUDA IPC".
  virtual std::string_view sharing() const = 0;
};

// `devices[r]`: the CUDA ordinal of rank r's GPU in this process. Peers' memory is mapped where this GPU has
// access to theirs. By file descriptors when every rank's GPU can, else by CUDA IPC. Collective; throws
// EnvironmentError on all ranks when it fails on one, among others when a GPU has less free memory than
// needed.
std::unique_ptr<SharedMemory> share_gpu_memory(Bootstrap& bootstrap, const std::vector<int>& devices,
                                               Bytes bytes);

}  // namespace ringside
