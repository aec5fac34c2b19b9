// One-shot allreduce that pushes packets with flags (the LL protocol): every 8-byte word carries 4 bytes of
// data and the number of the call. The word is stored and loaded whole, as every 8-byte access is, so data
// that stand beside this call's number are this call's. Nothing is ordered between words. It costs twice the
// bytes on the wire, and needs nothing of the data: all bits may mean something.
//
// The number has 31 bits, so it differs from the word of an empty slot. That it comes round does no harm,
// since a slot is left empty by whoever took its packet: there is no old number that could be taken for
// the new one.
//
// Why no packet is lost, overwritten or seen twice: see push.cuh.
#include "kernels/custom_push_ll.hpp"

#include "kernels/push.cuh"

namespace ringside::kernels {
namespace {

// Two slots to a vector. A warp's first slots lie side by side, and so do its second ones.
struct FlaggedPacket {
  static constexpr int kSlots = 2;
  static constexpr std::uint32_t kTile = 32;

  __device__ static std::uint32_t place(std::uint32_t vector, int i) {
    return (vector / kTile * kSlots + static_cast<std::uint32_t>(i)) * kTile + vector % kTile;
  }

  __device__ static int4 seal(int4 vector, int i, std::uint32_t call) {
    return i == 0 ? make_int4(vector.x, flag(call), vector.y, flag(call))
                  : make_int4(vector.z, flag(call), vector.w, flag(call));
  }

  __device__ static bool has_come(int4 content, std::uint32_t call) {
    return content.y == flag(call) && content.w == flag(call);
  }

  __device__ static int4 open(const int4 (&contents)[kSlots]) {
    return make_int4(contents[0].x, contents[0].z, contents[1].x, contents[1].z);
  }

 private:
  __device__ static int flag(std::uint32_t call) { return static_cast<int>(call & 0x7fffffffu); }
};

template <typename T, int Ranks>
__global__ void __launch_bounds__(max_threads(Ranks))
    custom_push_ll(const __grid_constant__ PushCall<T, Ranks> call) {
  push<FlaggedPacket>(call);
}

}  // namespace

std::size_t push_ll_row_bytes(std::size_t bytes) {
  constexpr std::size_t kTileBytes = FlaggedPacket::kTile * 16;
  return (bytes + kTileBytes - 1) / kTileBytes * kTileBytes * FlaggedPacket::kSlots;
}

cudaError_t launch_custom_push_ll(Element element, const PacketArguments& arguments, const LaunchShape& shape,
                                  cudaStream_t stream) {
  if (arguments.count == 0) return cudaSuccess;
  return with_element_and_ranks(element, arguments.slots.ranks, [&]<typename T, int Ranks>() {
    return launch(custom_push_ll<T, Ranks>, shape, PushCall<T, Ranks>(arguments, shape), stream);
  });
}

}  // namespace ringside::kernels
