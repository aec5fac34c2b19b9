#pragma once

#include <string>

#include "machine/gpu_survey.hpp"

namespace ringside {

// Looks at the GPUs and the NCCL library of this process. It initialises the CUDA driver, but makes no
// context on any GPU; it is meant for a child process that ends afterwards. `nccl_library`: what --nccl-lib
// says, or empty. Never throws for what is merely missing: the survey says it.
GpuSurvey survey_gpus(const std::string& nccl_library);

}  // namespace ringside
