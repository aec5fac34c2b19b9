#pragma once

#include <string>

#include "machine/nvml.hpp"

namespace ringside {

// A GPU's link to the others, for people: "NVLink 4, 18 links to a switch", "NVLink 4, 12 links to GPUs",
// "PCIe 5.0 x16". Empty when NVML tells nothing.
std::string describe_link(const Nvml& nvml, nvml::Device device);

}  // namespace ringside
