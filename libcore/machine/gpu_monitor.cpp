#include "machine/gpu_monitor.hpp"

namespace ringside {

GpuMonitor::GpuMonitor(const Nvml& nvml, const std::vector<std::string>& uuids) : nvml_(nvml) {
  for (const std::string& uuid : uuids) {
    if (const auto device = nvml.find(uuid)) devices_.push_back(*device);
  }
}

const std::vector<GpuState>& GpuMonitor::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < kRest) return states_;
  states_.clear();
  for (const nvml::Device device : devices_) {
    if (const auto state = nvml_.state(device)) states_.push_back(*state);
  }
  looked_ = std::chrono::steady_clock::now();
  return states_;
}

}  // namespace ringside
