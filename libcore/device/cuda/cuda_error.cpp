#include "device/cuda/cuda_error.hpp"

#include <fmt/format.h>

#include "device/cuda/driver_api.hpp"

namespace ringside {
namespace {

bool sticks(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorCudartUnloading:
    case cudaErrorDevicesUnavailable:
      return true;
    default:
      return false;
  }
}

}  // namespace

CudaError::CudaError(const std::string& call, const std::string& text, const std::string& code_name,
                     bool context_lost)
    : Error(ExitCode::environment, fmt::format("{}: {} ({})", call, text, code_name)),
      context_lost_(context_lost) {}

void check_cuda(cudaError_t status, const std::string& call) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw CudaError(call, cudaGetErrorString(status), cudaGetErrorName(status), sticks(status));
}

void check_cuda(CUresult status, const std::string& call) {
  if (status == CUDA_SUCCESS) return;
  // The driver numbers its errors as the runtime does.
  throw CudaError(call, driver_error_text(status), driver_error_name(status),
                  sticks(static_cast<cudaError_t>(status)));
}

void check_launch(const char* kernel) {
  check_cuda(cudaGetLastError(), fmt::format("launch of {}", kernel));
}

}  // namespace ringside
