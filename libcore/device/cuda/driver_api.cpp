#include "device/cuda/driver_api.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {
namespace {

// The version of CUDA whose signature is asked for: what these functions looked like when they came in or
// changed last in a way that matters here. All of them are at least that old in every driver that CUDA 12
// runs on.
constexpr unsigned kSignature = 12000;

void* look_up(const char* symbol) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(symbol, &function, kSignature, cudaEnableDefault, &found);
  if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return function;
}

template <typename Function>
void resolve(Function& target, const char* symbol) {
  target = reinterpret_cast<Function>(look_up(symbol));
  if (target == nullptr) {
    throw EnvironmentError(
        fmt::format("the CUDA driver has no {}; a driver of CUDA 12 or later is needed", symbol));
  }
}

DriverApi load() {
  DriverApi api{};
  resolve(api.device_get, "cuDeviceGet");
  resolve(api.device_attribute, "cuDeviceGetAttribute");
  resolve(api.granularity, "cuMemGetAllocationGranularity");
  resolve(api.create, "cuMemCreate");
  resolve(api.release, "cuMemRelease");
  resolve(api.reserve, "cuMemAddressReserve");
  resolve(api.free_range, "cuMemAddressFree");
  resolve(api.map, "cuMemMap");
  resolve(api.unmap, "cuMemUnmap");
  resolve(api.set_access, "cuMemSetAccess");
  resolve(api.export_handle, "cuMemExportToShareableHandle");
  resolve(api.import_handle, "cuMemImportFromShareableHandle");
  return api;
}

}  // namespace

const DriverApi& driver_api() {
  static const DriverApi api = load();
  return api;
}

int driver_attribute(int device, CUdevice_attribute attribute) {
  CUdevice handle = 0;
  int value = 0;
  if (driver_api().device_get(&handle, device) != CUDA_SUCCESS) return 0;
  if (driver_api().device_attribute(&value, attribute, handle) != CUDA_SUCCESS) return 0;
  return value;
}

std::string driver_error_text(CUresult status) {
  const auto get = reinterpret_cast<decltype(&::cuGetErrorString)>(look_up("cuGetErrorString"));
  const char* text = nullptr;
  if (get == nullptr || get(status, &text) != CUDA_SUCCESS) return "unknown driver error";
  return text;
}

std::string driver_error_name(CUresult status) {
  const auto get = reinterpret_cast<decltype(&::cuGetErrorName)>(look_up("cuGetErrorName"));
  const char* text = nullptr;
  if (get == nullptr || get(status, &text) != CUDA_SUCCESS)
    return fmt::format("error {}", static_cast<int>(status));
  return text;
}

}  // namespace ringside
