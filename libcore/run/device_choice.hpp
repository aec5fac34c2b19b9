#pragma once

#include <memory>
#include <string>

#include "machine/gpu_survey.hpp"
#include "model/case.hpp"

namespace ringside {

struct DeviceChoice {
  DeviceKind kind = DeviceKind::host;
  std::string reason;                     // why `auto` chose it, for people; empty when it was asked for
  std::shared_ptr<const GpuSurvey> gpus;  // cuda: all that can be used
};

// The device for a name ("auto", "host", "cuda", "model"): auto is cuda with two or more usable GPUs, else
// host. `nccl_library`: what --nccl-lib says. Throws EnvironmentError when cuda is asked for and this box
// can't.
DeviceChoice choose_device(const std::string& asked, const std::string& nccl_library);

}  // namespace ringside
