#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/rank_device.hpp"

namespace ringside {

// What the device of every rank of a group is made of.
struct DeviceSettings {
  DeviceKind kind = DeviceKind::host;
  Bytes arena;
  std::vector<int> cores{};         // host: the core that each rank is pinned to; empty: not pinned
  std::vector<std::string> gpus{};  // cuda: the UUID of each rank's GPU
  std::string nccl_library;         // cuda: path; empty: there is none
  bool report = false;              // libraries tell what they run; nothing may be timed then
};

// This rank's device; collective. `bootstrap` must outlive it. Throws EnvironmentError when it can't be had.
std::unique_ptr<RankDevice> make_device(const DeviceSettings& settings, Bootstrap& bootstrap);

// What an NCCL communicator may take of a GPU's memory, on a box with many channels.
inline constexpr Bytes kNcclCommunicatorMemory = 1024_MiB;

// What device_memory() counts.
struct DeviceNeed {
  DeviceKind kind = DeviceKind::host;
  int ranks = 2;
  Bytes arena;
  Bytes evicted_cache;  // cuda: of the GPUs, where inputs are to be cold; else 0
};

// Memory that a rank's device takes, by the code that takes it: the arena, the flags of its own beside it,
// and what pushes inputs out of a cache. Of a GPU not counted: CUDA's context, NCCL's communicators
// (kNcclCommunicatorMemory each at most; their windows are the arena itself), and what the driver rounds up
// to whole pages of 2 MiB or so.
Bytes device_memory(const DeviceNeed& need);

// Takes from a counting arena what RankDevice::measure_limits() takes for a while, and gives it back.
void count_limits(DeviceKind kind, Arena& counting, Bytes message);

}  // namespace ringside
