#include "machine/gpu_links.hpp"

#include <fmt/format.h>

namespace ringside {
namespace {

constexpr unsigned kMostLinks = 18;  // NVML_NVLINK_MAX_LINKS; asking beyond it is an error, not a crash

struct NvlinkCount {
  unsigned links = 0;
  unsigned version = 0;
  bool to_switch = false;
};

NvlinkCount count_nvlinks(const nvml::Api& api, nvml::Device device) {
  NvlinkCount count;
  if (api.nvlink_state == nullptr) return count;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    int enabled = 0;
    if (api.nvlink_state(device, link, &enabled) != nvml::kSuccess || enabled == 0) continue;
    ++count.links;
    if (api.nvlink_version != nullptr) api.nvlink_version(device, link, &count.version);
    int remote = nvml::kRemoteGpu;
    if (api.nvlink_remote_type != nullptr &&
        api.nvlink_remote_type(device, link, &remote) == nvml::kSuccess) {
      count.to_switch |= remote == nvml::kRemoteSwitch;
    }
  }
  return count;
}

// NVML numbers NVLink's versions by their steps: 1.0, 2.0, 2.2, 3.0, 3.1, 4.0, 5.0.
std::string nvlink_generation(unsigned version) {
  switch (version) {
    case 1:
      return "1";
    case 2:
    case 3:
      return "2";
    case 4:
    case 5:
      return "3";
    case 6:
      return "4";
    case 7:
      return "5";
    default:
      return fmt::format("version {}", version);
  }
}

}  // namespace

std::string describe_link(const Nvml& nvml, nvml::Device device) {
  const nvml::Api& api = nvml.api();
  if (const NvlinkCount count = count_nvlinks(api, device); count.links > 0) {
    return fmt::format("NVLink {}, {} links to {}", nvlink_generation(count.version), count.links,
                       count.to_switch ? "a switch" : "GPUs");
  }
  unsigned generation = 0;
  unsigned width = 0;
  if (api.pcie_max_generation == nullptr || api.pcie_max_generation(device, &generation) != nvml::kSuccess)
    return "";
  if (api.pcie_width == nullptr || api.pcie_width(device, &width) != nvml::kSuccess) return "";
  return fmt::format("PCIe {}.0 x{}", generation, width);
}

}  // namespace ringside
