#include "device/cuda/gpu_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/errors.hpp"
#include "device/cuda/cuda_error.hpp"

namespace ringside {
namespace {

int count_gpus() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    throw EnvironmentError(fmt::format("no usable GPU: {}; see what nvidia-smi says, or use --device host",
                                       cudaGetErrorString(status)));
  }
  check_cuda(status, "cudaGetDeviceCount");
  return count;
}

}  // namespace

std::string gpu_uuid(int ordinal) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, ordinal),
             fmt::format("cudaGetDeviceProperties({})", ordinal));
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof properties.uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(properties.uuid.bytes[i]));
  }
  return text;
}

std::string gpu_pci_address(int ordinal) {
  char text[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(text, sizeof text, ordinal), "cudaDeviceGetPCIBusId");
  std::string address(text);
  std::transform(address.begin(), address.end(), address.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return address;
}

std::vector<int> find_gpus(const std::vector<std::string>& uuids, int ranks) {
  const int count = count_gpus();
  std::vector<int> ordinals;
  if (uuids.empty()) {
    if (ranks > count)
      throw EnvironmentError(fmt::format(
          "{0} ranks need {0} GPUs; {1} are here: use --ranks {1}, and look at CUDA_VISIBLE_DEVICES", ranks,
          count));
    for (int ordinal = 0; ordinal < ranks; ++ordinal) ordinals.push_back(ordinal);
    return ordinals;
  }
  std::vector<std::string> here;
  for (int ordinal = 0; ordinal < count; ++ordinal) here.push_back(gpu_uuid(ordinal));
  for (const std::string& uuid : uuids) {
    const auto found = std::find(here.begin(), here.end(), uuid);
    if (found == here.end())
      throw EnvironmentError(fmt::format(
          "no GPU has the UUID {}; nvidia-smi -L lists them, CUDA_VISIBLE_DEVICES hides some", uuid));
    ordinals.push_back(static_cast<int>(found - here.begin()));
  }
  return ordinals;
}

}  // namespace ringside
