// A barrier of all ranks on the device.
//
// Thread p of the single block tells rank p that this rank has come, then waits until rank p has. The store
// is a release and the load an acquire, both at system scope, so what a rank wrote before the barrier is
// visible to all behind it. Counts only grow: a rank that is a barrier ahead has written a larger count,
// which the waiting one takes as "has come"; it can't be two ahead, as it waits for this rank in between. No
// flag is ever reset. Every wait is bounded by the guard.
#include "kernels/device_barrier.hpp"

#include "kernels/wait.cuh"

namespace ringside::kernels {
namespace {

struct Gate {
  const std::uint32_t* counter;
  std::uint32_t value;
  std::uint64_t limit_ns;
};

__global__ void device_barrier(FlagBoard board, std::uint32_t epoch, WaitGuard guard, Gate gate) {
  if (has_failed(guard)) return;
  if (gate.counter != nullptr) {
    if (threadIdx.x == 0) {
      const auto open = [&] {
        return reached(*static_cast<const volatile std::uint32_t*>(gate.counter), gate.value);
      };
      poll_until(open, gate.limit_ns);
    }
    __syncthreads();
  }
  const int peer = static_cast<int>(threadIdx.x);
  if (peer == board.rank) return;
  publish(&board.inboxes[peer][board.rank].value, epoch);
  wait_for(&board.inboxes[board.rank][peer].value, epoch, peer, WaitPlace::barrier, guard);
}

}  // namespace

void launch_device_barrier(const FlagBoard& board, std::uint32_t epoch, const WaitGuard& guard,
                           const std::uint32_t* gate, std::uint32_t gate_value, std::uint64_t gate_limit_ns,
                           cudaStream_t stream) {
  device_barrier<<<1, static_cast<unsigned>(board.ranks), 0, stream>>>(board, epoch, guard,
                                                                       {gate, gate_value, gate_limit_ns});
}

}  // namespace ringside::kernels
