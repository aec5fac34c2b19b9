#pragma once

#include <string>

#include "model/case.hpp"

namespace ringside {

struct DeviceChoice {
  DeviceKind kind = DeviceKind::host;
  std::string reason;  // why `auto` chose it, for people; empty when it was asked for
};

// The device for a name ("auto", "host", "cuda", "model"): auto is cuda with two or more usable GPUs, else
// host. Throws EnvironmentError when cuda is asked for and this box has none.
DeviceChoice choose_device(const std::string& asked);

}  // namespace ringside
