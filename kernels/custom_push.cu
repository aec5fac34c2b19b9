// One-shot allreduce that pushes bare packets. The data themselves say that they have come, so nothing but
// data crosses the link, and nothing needs to be ordered: neither words of a packet nor packets among
// themselves. A word that is not empty is the peer's word of this call, and the load that sees it has the
// datum. That holds for every 8-byte word on its own; that 16 bytes travel together is speed, not a
// condition.
//
// Why no packet is lost, overwritten or seen twice: see push.cuh.
#include "kernels/custom_push.hpp"

#include "kernels/push.cuh"

namespace ringside::kernels {
namespace {

template <typename T, int Ranks>
__global__ void __launch_bounds__(max_threads(Ranks), promised_blocks(Ranks))
    custom_push(const __grid_constant__ PushCall<T, Ranks> call) {
  push<BarePacket>(call);
}

}  // namespace

std::size_t push_row_bytes(std::size_t bytes) {
  return rounded_row(bytes);
}

LaunchShape push_shape(std::size_t bytes, int ranks, int multiprocessors) {
  return shape_for_vectors((bytes + 15) / 16, ranks, multiprocessors);
}

cudaError_t launch_custom_push(Element element, const PacketArguments& arguments, const LaunchShape& shape,
                               cudaStream_t stream) {
  if (arguments.count == 0) return cudaSuccess;
  return with_element_and_ranks(element, arguments.slots.ranks, [&]<typename T, int Ranks>() {
    return launch(custom_push<T, Ranks>, shape, PushCall<T, Ranks>(arguments, shape), stream);
  });
}

}  // namespace ringside::kernels
