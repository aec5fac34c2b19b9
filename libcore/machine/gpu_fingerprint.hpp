#pragma once

#include "machine/gpu_survey.hpp"
#include "machine/nvml.hpp"
#include "machine/root_files.hpp"
#include "model/document.hpp"

namespace ringside {

// Adds what there is to know about the ranks' GPUs to a box's fingerprint: driver and CUDA, each GPU (name,
// UUID, PCI address, memory, clocks, power limit, link, NUMA node, MIG, ECC), what every pair can do, the
// NCCL library, and other processes on the GPUs. `nvml` may be null; what only it knows is left out then.
void add_gpu_facts(Fingerprint& machine, const GpuSurvey& gpus, const Nvml* nvml,
                   const RootFiles& files = RootFiles());

}  // namespace ringside
