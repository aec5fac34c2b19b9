// A driver with two GPUs, for tests: GPU-a has NVLink 4 to a switch and is hot, GPU-b sits on PCIe. It has no
// function for processes, as an old driver.
#include <cstdio>
#include <cstring>

#include "machine/nvml_api.hpp"

using namespace ringside::nvml;

namespace {

int gpus[2];
const Device kA = reinterpret_cast<Device>(&gpus[0]);
const Device kB = reinterpret_cast<Device>(&gpus[1]);
constexpr Return kNotFound = static_cast<Return>(6);
constexpr Return kNotSupported = static_cast<Return>(3);

}  // namespace

extern "C" {

Return nvmlInit_v2() {
  return kSuccess;
}
Return nvmlShutdown() {
  return kSuccess;
}

Return nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "999.88");
  return kSuccess;
}

Return nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  if (std::strcmp(uuid, "GPU-a") != 0 && std::strcmp(uuid, "GPU-b") != 0) return kNotFound;
  *device = uuid[4] == 'a' ? kA : kB;
  return kSuccess;
}

Return nvmlDeviceGetClockInfo(Device device, ClockType, unsigned* mhz) {
  *mhz = device == kA ? 1755 : 345;
  return kSuccess;
}

Return nvmlDeviceGetMaxClockInfo(Device, ClockType type, unsigned* mhz) {
  *mhz = type == kSmClock ? 1980 : 3201;
  return kSuccess;
}

Return nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* reasons) {
  *reasons = device == kA ? 0x44 : 0x1;  // power cap and heat; idle
  return kSuccess;
}

Return nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  if (device == kB) return kNotSupported;
  *memory = {.total = 1000, .free = 600, .used = 400};
  return kSuccess;
}

Return nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  if (device == kB) return kNotSupported;
  *milliwatts = 700000;
  return kSuccess;
}

Return nvmlDeviceGetNvLinkState(Device device, unsigned link, int* enabled) {
  if (device == kB || link >= 18) return kNotSupported;
  *enabled = 1;
  return kSuccess;
}

Return nvmlDeviceGetNvLinkVersion(Device, unsigned, unsigned* version) {
  *version = 6;
  return kSuccess;
}

Return nvmlDeviceGetNvLinkRemoteDeviceType(Device, unsigned, int* type) {
  *type = kRemoteSwitch;
  return kSuccess;
}

Return nvmlDeviceGetMaxPcieLinkGeneration(Device, unsigned* generation) {
  *generation = 5;
  return kSuccess;
}

Return nvmlDeviceGetCurrPcieLinkWidth(Device, unsigned* width) {
  *width = 16;
  return kSuccess;
}
}
