#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "machine/gpu_state.hpp"
#include "machine/nvml_api.hpp"

namespace ringside {

// The driver's management library, opened at run time. It reads facts and never changes anything, and needs
// no CUDA context, so the coordinator may use it. A value that the driver does not give is absent.
class Nvml {
 public:
  // Null when there is no such library or it does not start; `why`, if given, then says it.
  static std::unique_ptr<Nvml> open(std::string* why = nullptr,
                                    const std::string& library = "libnvidia-ml.so.1");
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  const nvml::Api& api() const { return api_; }
  std::optional<std::string> driver_version() const;

  // The GPU with this UUID. NVML numbers GPUs otherwise than CUDA and ignores CUDA_VISIBLE_DEVICES, so there
  // is no way to ask by number.
  std::optional<nvml::Device> find(const std::string& uuid) const;

  std::optional<GpuState> state(nvml::Device device) const;

  // Memory of the GPU that nobody uses.
  std::optional<Bytes> free_memory(nvml::Device device) const;

  // Processes with a CUDA context on the GPU. Those of other containers may be hidden.
  std::vector<std::uint32_t> compute_processes(nvml::Device device) const;

 private:
  Nvml(void* library, const nvml::Api& api) : library_(library), api_(api) {}

  void* library_;
  nvml::Api api_;
};

}  // namespace ringside
