#pragma once

#include <cuda_runtime_api.h>

#include "kernels/element.hpp"
#include "kernels/packet_slots.hpp"
#include "kernels/sum.cuh"

namespace ringside::kernels {

// Stands before a kernel's first access to memory. With dependent launch it returns when the kernel before is
// complete and its writes are visible, just as if that kernel had ended before this one began; else at once.
__device__ inline void wait_for_kernel_before() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Lets the next kernel of the stream be set up, if it was launched as dependent, once all blocks have said
// so.
__device__ inline void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

template <typename Arguments>
cudaError_t launch(void (*kernel)(Arguments), const LaunchShape& shape, const Arguments& arguments,
                   cudaStream_t stream) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(shape.blocks));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = shape.dependent ? 1 : 0;
  return cudaLaunchKernelEx(&config, kernel, arguments);
}

// Calls `with` with the element type as a type and the number of ranks as a constant.
template <typename With>
cudaError_t with_ranks(int ranks, With with) {
  switch (ranks) {
    case 2:
      return with.template operator()<2>();
    case 3:
      return with.template operator()<3>();
    case 4:
      return with.template operator()<4>();
    case 5:
      return with.template operator()<5>();
    case 6:
      return with.template operator()<6>();
    case 7:
      return with.template operator()<7>();
    case 8:
      return with.template operator()<8>();
    default:
      return cudaErrorInvalidValue;
  }
}

template <typename With>
cudaError_t with_element_and_ranks(Element element, int ranks, With with) {
  switch (element) {
    case Element::bf16:
      return with_ranks(ranks, [&]<int Ranks>() { return with.template operator()<__nv_bfloat16, Ranks>(); });
    case Element::fp16:
      return with_ranks(ranks, [&]<int Ranks>() { return with.template operator()<__half, Ranks>(); });
    case Element::fp32:
      return with_ranks(ranks, [&]<int Ranks>() { return with.template operator()<float, Ranks>(); });
  }
  return cudaErrorInvalidValue;
}

}  // namespace ringside::kernels
