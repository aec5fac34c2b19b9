// custom-alltoall: every rank stores its parts straight into its peers' outputs (kernels/custom_alltoall.cu).
#include "kernels/custom_alltoall.hpp"

#include <vector>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "strategy/cost.hpp"
#include "strategy/cuda/peer_access.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

std::byte* allocate_state(Arena& arena) {
  return arena.allocate({sizeof(kernels::PullState)});
}

class StoreExchange final : public PreparedCollective {
 public:
  StoreExchange(CudaDevice& device, const Case& params)
      : device_(device),
        size_(element_size(params.dtype)),
        borders_(part_borders(params)),
        blocks_(kernels::alltoall_blocks(params.bytes.count, device.multiprocessors())) {
    std::byte* state = allocate_state(device.arena());
    check_cuda(cudaMemsetAsync(state, 0, sizeof(kernels::PullState), device.stream()), "cudaMemsetAsync");
    device.finish();
    device.bootstrap().barrier();  // no peer may write into a state that its owner has not zeroed
    for (int r = 0; r < params.ranks; ++r) {
      const auto to = static_cast<std::size_t>(r);
      arguments_.states[r] = reinterpret_cast<kernels::PullState*>(device.arena().on_rank(r, state));
      arguments_.bytes[r] = (borders_[to + 1] - borders_[to]) * size_;
    }
    arguments_.rank = device.rank();
    arguments_.ranks = params.ranks;
    arguments_.guard = device.start_barrier().guard();
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    for (int r = 0; r < arguments_.ranks; ++r) {
      const auto to = static_cast<std::size_t>(r);
      arguments_.sources[r] = input + borders_[to] * size_;
      arguments_.targets[r] = device_.arena().on_rank(r, output) +
                              static_cast<std::size_t>(arguments_.rank) * arguments_.bytes[r];
    }
    kernels::launch_custom_alltoall(arguments_, blocks_, device_.stream());
    check_launch("custom_alltoall");
  }

 private:
  CudaDevice& device_;
  std::size_t size_;
  std::vector<std::size_t> borders_;
  int blocks_;
  kernels::AllToAllArguments arguments_;
};

class CustomAllToAll final : public Strategy {
 public:
  std::string_view name() const override { return "custom-alltoall"; }
  std::string_view family() const override { return "custom-alltoall"; }
  std::string_view summary() const override {
    return "all-to-all: each rank stores its parts in its peers' outputs";
  }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Collective collective() const override { return Collective::alltoall; }
  Numerics numerics() const override { return {}; }

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = Strategy::admit(params, context)) return refused;
    return refuse_peer_kernel(params, context, kernels::kPullMaxRanks);
  }

  void allocate(Arena& arena, const Case&) const override { allocate_state(arena); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    return std::make_unique<StoreExchange>(CudaDevice::of(device), params);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    return estimate_cost(machine, 2, alltoall_wire_bytes(params),
                         "2 steps + the fullest rank's bytes / bandwidth");
  }
};

const RegisterStrategy<CustomAllToAll> registered;

}  // namespace
}  // namespace ringside
