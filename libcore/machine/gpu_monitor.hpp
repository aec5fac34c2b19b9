#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/nvml.hpp"

namespace ringside {

// Watches the clocks of some GPUs through NVML while others use them. Looking costs a fraction of a
// millisecond a GPU.
class GpuMonitor {
 public:
  // `nvml` must outlive it. GPUs that NVML does not know are left out.
  GpuMonitor(const Nvml& nvml, const std::vector<std::string>& uuids);

  std::vector<GpuState> look() const;

 private:
  const Nvml& nvml_;
  std::vector<nvml::Device> devices_;
};

}  // namespace ringside
