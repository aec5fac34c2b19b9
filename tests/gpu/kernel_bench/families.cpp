#include "gpu/kernel_bench/families.hpp"

#include "kernels/custom_push.hpp"
#include "kernels/custom_push_ll.hpp"

namespace ringside::bench {
namespace {

using kernels::Element;
using kernels::LaunchShape;
using kernels::TwoShotArguments;

cudaError_t launch_push(Element element, const TwoShotArguments& arguments, const LaunchShape& shape,
                        cudaStream_t stream) {
  return kernels::launch_custom_push(element, arguments.packets, shape, stream);
}

cudaError_t launch_push_ll(Element element, const TwoShotArguments& arguments, const LaunchShape& shape,
                           cudaStream_t stream) {
  return kernels::launch_custom_push_ll(element, arguments.packets, shape, stream);
}

}  // namespace

std::span<const Family> families() {
  static constexpr std::size_t kMiB = 1 << 20;
  static const Family all[] = {
      {"push", [](std::size_t bytes, int) { return kernels::push_row_bytes(bytes); }, kernels::push_shape,
       launch_push, 64 * kMiB, true},
      {"ll", [](std::size_t bytes, int) { return kernels::push_ll_row_bytes(bytes); }, kernels::push_shape,
       launch_push_ll, 4 * kMiB, true},
      {"two-shot", kernels::two_shot_row_bytes, kernels::two_shot_shape, kernels::launch_custom_two_shot,
       64 * kMiB, false},
  };
  return all;
}

}  // namespace ringside::bench
