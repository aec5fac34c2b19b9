#pragma once

#include "machine/gpu_survey.hpp"
#include "machine/profile.hpp"

namespace ringside {

// What a look at the first `ranks` GPUs of a described machine would find: what strategies ask about before
// they are admitted. Its NCCL is the newest that ringside knows.
GpuSurvey described_gpus(const MachineProfile& machine, int ranks);

}  // namespace ringside
