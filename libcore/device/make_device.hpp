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
  std::vector<int> cores;         // host: the core that each rank is pinned to; empty: not pinned
  std::vector<std::string> gpus;  // cuda: the UUID of each rank's GPU
  std::string nccl_library;       // cuda: path; empty: there is none
  bool report = false;            // libraries tell what they run; nothing may be timed then
};

// This rank's device; collective. `exchange` must outlive it. Throws EnvironmentError when it can't be had.
std::unique_ptr<RankDevice> make_device(const DeviceSettings& settings, Exchange& exchange);

}  // namespace ringside
