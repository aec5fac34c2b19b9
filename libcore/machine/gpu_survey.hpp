#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace ringside {

// A GPU as CUDA sees it.
struct GpuFacts {
  std::string uuid;         // "GPU-8f6a...", what NVML and nvidia-smi print
  std::string pci_address;  // "0000:3b:00.0"
  std::string name;
  int compute_capability = 0;  // 90 for 9.0
  int multiprocessors = 0;
  Bytes memory;
  Bytes l2_cache;
  bool multicast = false;      // the GPU could take part in NVLink multicast (NVLS)
  std::string memory_sharing;  // "file descriptors" or "CUDA IPC"
};

// What one GPU can do with another one's memory.
struct GpuPair {
  bool access = false;          // loads and stores
  bool native_atomics = false;  // and atomic operations
  int performance_rank = 0;     // CUDA's own; 0 is the best path
};

// The NCCL library that a run would use.
struct NcclFacts {
  std::string problem;  // why there is none; empty: there is one
  std::string path;
  std::string origin;                // why this one: "--nccl-lib", "package nvidia-nccl of python3", "system"
  int version = 0;                   // 22809 is 2.28.9
  std::vector<std::string> missing;  // optional functions that it lacks
  int header_version = 0;            // that ringside was built with; 0: without NCCL's device API
};

// The GPUs that this process may use, in CUDA's order, as a short-lived child found them: the coordinator
// itself never touches CUDA.
struct GpuSurvey {
  std::string problem;  // why there is no usable GPU; empty: there are some
  std::vector<GpuFacts> gpus;
  std::vector<GpuPair> pairs;  // [from x gpus + to]
  int driver_version = 0;      // the newest CUDA that the driver supports, 13000 for 13.0
  int runtime_version = 0;     // that ringside was built with
  NcclFacts nccl;

  const GpuPair& pair(std::size_t from, std::size_t to) const { return pairs[from * gpus.size() + to]; }
};

// Every GPU can load from and store to every other one's memory.
bool all_pairs_reach(const GpuSurvey& survey);

// The survey of some of its GPUs only, by index and in that order: rank r's GPU is number r of the result.
GpuSurvey select_gpus(const GpuSurvey& survey, const std::vector<std::size_t>& chosen);

// The GPUs that `list` names ("0,1", "GPU-8f6a..,GPU-77..", or the beginning of UUIDs), or the first `ranks`
// when it is empty. Throws UsageError that says what is wrong with it and what GPUs there are.
std::vector<std::size_t> choose_gpus(const GpuSurvey& survey, const std::string& list, int ranks);

}  // namespace ringside
