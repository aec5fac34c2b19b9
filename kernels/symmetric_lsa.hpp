#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "kernels/element.hpp"
#include "kernels/wait.hpp"

struct ncclDevComm;  // NCCL's device communicator: <nccl_device.h> of the very minor version of the library

namespace ringside::kernels {

inline constexpr int kLsaMaxRanks = 8;
inline constexpr int kLsaMaxBlocks = 32;  // as many barriers as a device communicator needs

struct LsaArguments {
  void* window = nullptr;        // ncclWindow_t in which input and output lie
  std::size_t input_offset = 0;  // bytes into the window, the same on all ranks
  std::size_t output_offset = 0;
  std::size_t count = 0;  // elements
  int ranks = 0;
  WaitGuard guard;
};

// Blocks for a message. The same on all ranks.
int lsa_blocks(std::size_t bytes);

// Enqueues one allreduce (sum). Equal offsets are allowed (in place). All ranks call it alike, in the same
// order.
void launch_symmetric_lsa(Element element, const ncclDevComm& comm, const LsaArguments& arguments, int blocks,
                          cudaStream_t stream);

}  // namespace ringside::kernels
