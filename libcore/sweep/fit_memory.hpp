#pragma once

#include "sweep/plan.hpp"

namespace ringside {

// Sets the plan apart (set_apart()) where `available` does not hold the buffers of all its rank groups beside
// each other on the host. Throws EnvironmentError where it does not hold those of one.
void fit_host_memory(Plan& plan, Bytes available);

// Sets it apart where a GPU with so much free memory may not hold all rank groups beside each other: their
// buffers, CUDA's contexts, and as many NCCL communicators as there are strategies that ask NCCL. Those are
// counted at what they may take.
void fit_gpu_memory(Plan& plan, Bytes free);

}  // namespace ringside
