#pragma once

#include "doctor/box_facts.hpp"
#include "machine/gpu_survey.hpp"
#include "machine/nvml.hpp"
#include "machine/root_files.hpp"

namespace ringside {

// Each collector writes facts of one kind, and for what it can't find out the reason. None changes anything.

// From the kernel's files: kernel, virtual machine, container, IOMMU, cgroups, modules, RDMA devices, NCCL's
// configuration files. `files` may be another box's, below a folder.
void collect_files(const RootFiles& files, BoxFacts& facts);

// What this process may do: limits, /dev/shm, cores and NUMA nodes, file descriptors of other processes,
// memory policies, sockets in the folder for temporary files. Some is tried in a child that ends at once.
void collect_process(BoxFacts& facts);

// Host name, its address, network interfaces. Asks the resolver, nobody else.
void collect_network(BoxFacts& facts);

// The libraries that a Python server of this environment would load: libnccl, libcuda; and the variables that
// decide it. Runs python3 for some tens of milliseconds.
void collect_libraries(BoxFacts& facts);

// GPUs and their pairs, from a survey and from NVML (null: not there, because of `nvml_problem`).
void collect_gpus(const GpuSurvey& survey, const Nvml* nvml, const std::string& nvml_problem,
                  const RootFiles& files, BoxFacts& facts);

}  // namespace ringside
