#include "machine/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <utility>

#if __has_include(<nvml.h>)
#include <nvml.h>

static_assert(sizeof(ringside::nvml::ProcessInfo) == sizeof(nvmlProcessInfo_t));
static_assert(sizeof(ringside::nvml::Memory) == sizeof(nvmlMemory_t) &&
              offsetof(ringside::nvml::Memory, free) == offsetof(nvmlMemory_t, free));
static_assert(sizeof(ringside::nvml::Bar1Memory) == sizeof(nvmlBAR1Memory_t));
static_assert(sizeof(ringside::nvml::FabricInfo) == sizeof(nvmlGpuFabricInfo_t) &&
              offsetof(ringside::nvml::FabricInfo, state) == offsetof(nvmlGpuFabricInfo_t, state));
static_assert(sizeof(ringside::nvml::FieldValue) == sizeof(nvmlFieldValue_t) &&
              offsetof(ringside::nvml::FieldValue, value) == offsetof(nvmlFieldValue_t, value));
static_assert(int{ringside::nvml::kSmClock} == NVML_CLOCK_SM &&
              int{ringside::nvml::kMemoryClock} == NVML_CLOCK_MEM);
static_assert(int{ringside::nvml::kSuccess} == NVML_SUCCESS);
#endif

namespace ringside {
namespace {

using nvml::Api;
using nvml::kSuccess;

// Fills `api`; false when one of the functions that nothing works without is missing.
bool resolve(void* library, Api& api) {
  const auto find = [library](auto& target, const char* symbol) {
    target = reinterpret_cast<std::remove_reference_t<decltype(target)>>(::dlsym(library, symbol));
    return target != nullptr;
  };
  find(api.max_clock, "nvmlDeviceGetMaxClockInfo");
  find(api.clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(api.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(api.mig_mode, "nvmlDeviceGetMigMode");
  find(api.ecc_mode, "nvmlDeviceGetEccMode");
  find(api.pcie_max_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
  find(api.pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  find(api.nvlink_state, "nvmlDeviceGetNvLinkState");
  find(api.nvlink_version, "nvmlDeviceGetNvLinkVersion");
  find(api.nvlink_remote_type, "nvmlDeviceGetNvLinkRemoteDeviceType");
  find(api.compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  find(api.memory, "nvmlDeviceGetMemoryInfo");
  find(api.bar1, "nvmlDeviceGetBAR1MemoryInfo");
  find(api.default_power_limit, "nvmlDeviceGetPowerManagementDefaultLimit");
  find(api.persistence, "nvmlDeviceGetPersistenceMode");
  find(api.remapped_rows, "nvmlDeviceGetRemappedRows");
  find(api.ecc_errors, "nvmlDeviceGetTotalEccErrors");
  find(api.peer_status, "nvmlDeviceGetP2PStatus");
  find(api.fabric, "nvmlDeviceGetGpuFabricInfo");
  find(api.field_values, "nvmlDeviceGetFieldValues");
  return find(api.init, "nvmlInit_v2") && find(api.shutdown, "nvmlShutdown") &&
         find(api.driver_version, "nvmlSystemGetDriverVersion") &&
         find(api.handle_by_uuid, "nvmlDeviceGetHandleByUUID") && find(api.clock, "nvmlDeviceGetClockInfo");
}

}  // namespace

std::unique_ptr<Nvml> Nvml::open(std::string* why, const std::string& library) {
  const auto fail = [why](std::string reason) {
    if (why != nullptr) *why = std::move(reason);
    return nullptr;
  };
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(fmt::format("{} can't be opened", library));
  Api api{};
  if (!resolve(handle, api)) {
    ::dlclose(handle);
    return fail(fmt::format("{} lacks functions that every driver has", library));
  }
  if (const nvml::Return status = api.init(); status != kSuccess) {
    ::dlclose(handle);
    return fail(fmt::format("nvmlInit_v2 gave error {}", static_cast<int>(status)));
  }
  return std::unique_ptr<Nvml>(new Nvml(handle, api));
}

Nvml::~Nvml() {
  api_.shutdown();
  ::dlclose(library_);
}

std::optional<std::string> Nvml::driver_version() const {
  char text[80] = {};
  if (api_.driver_version(text, sizeof text) != kSuccess) return std::nullopt;
  return text;
}

std::optional<nvml::Device> Nvml::find(const std::string& uuid) const {
  nvml::Device device = nullptr;
  if (api_.handle_by_uuid(uuid.c_str(), &device) != kSuccess) return std::nullopt;
  return device;
}

std::optional<GpuState> Nvml::state(nvml::Device device) const {
  GpuState state;
  if (api_.clock(device, nvml::kSmClock, &state.sm_mhz) != kSuccess) return std::nullopt;
  unsigned long long reasons = 0;
  if (api_.clock_reasons != nullptr && api_.clock_reasons(device, &reasons) == kSuccess) {
    state.clock_reasons = reasons;
  }
  return state;
}

std::optional<Bytes> Nvml::free_memory(nvml::Device device) const {
  nvml::Memory memory{};
  if (api_.memory == nullptr || api_.memory(device, &memory) != kSuccess) return std::nullopt;
  return Bytes{memory.free};
}

std::vector<std::uint32_t> Nvml::compute_processes(nvml::Device device) const {
  if (api_.compute_processes == nullptr) return {};
  std::array<nvml::ProcessInfo, 64> found{};
  auto count = static_cast<unsigned>(found.size());
  if (api_.compute_processes(device, &count, found.data()) != kSuccess) return {};
  std::vector<std::uint32_t> pids;
  for (unsigned i = 0; i < count && i < found.size(); ++i) pids.push_back(found[i].pid);
  return pids;
}

}  // namespace ringside
