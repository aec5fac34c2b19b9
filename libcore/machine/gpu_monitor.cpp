#include "machine/gpu_monitor.hpp"

namespace ringside {

GpuMonitor::GpuMonitor(const Nvml& nvml, const std::vector<std::string>& uuids) : nvml_(nvml) {
  for (const std::string& uuid : uuids) {
    if (const auto device = nvml.find(uuid)) devices_.push_back(*device);
  }
}

std::vector<GpuState> GpuMonitor::look() const {
  std::vector<GpuState> states;
  for (const nvml::Device device : devices_) {
    if (const auto state = nvml_.state(device)) states.push_back(*state);
  }
  return states;
}

}  // namespace ringside
