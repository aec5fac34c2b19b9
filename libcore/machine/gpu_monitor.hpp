#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "machine/nvml.hpp"

namespace ringside {

// Watches the clocks of some GPUs through NVML while other processes use them.
class GpuMonitor {
 public:
  // `nvml` must outlive it. GPUs that NVML does not know are left out.
  GpuMonitor(const Nvml& nvml, const std::vector<std::string>& uuids);

  // The GPUs' states now, or those of the last look if that was less than kRest ago: looking takes up to a
  // millisecond a GPU, which is as long as some turns.
  const std::vector<GpuState>& look();
  static constexpr std::chrono::milliseconds kRest{20};

 private:
  const Nvml& nvml_;
  std::vector<nvml::Device> devices_;
  std::vector<GpuState> states_;
  std::chrono::steady_clock::time_point looked_{};
};

}  // namespace ringside
