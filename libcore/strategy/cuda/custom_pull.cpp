// custom-pull: every rank reads its peers' whole messages and sums them itself, with barriers around
// (one-shot pull, kernels/custom_pull.cu). What vLLM's and SGLang's one-stage kernels do; the reference for
// all later ones.
#include <algorithm>

#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_error.hpp"
#include "kernels/custom_pull.hpp"
#include "strategy/cost.hpp"
#include "strategy/cuda/elements.hpp"
#include "strategy/cuda/peer_access.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

std::byte* allocate_state(Arena& arena) {
  return arena.allocate({sizeof(kernels::PullState)});
}

class PullAllReduce final : public PreparedCollective {
 public:
  PullAllReduce(CudaDevice& device, const Case& params)
      : device_(device),
        element_(kernel_element(params.dtype)),
        blocks_(kernels::pull_blocks(params.bytes.count, device.multiprocessors())) {
    std::byte* state = allocate_state(device.arena());
    check_cuda(cudaMemsetAsync(state, 0, sizeof(kernels::PullState), device.stream()), "cudaMemsetAsync");
    device.finish();
    device.bootstrap().barrier();  // no peer may write into a state that its owner has not zeroed
    for (int r = 0; r < params.ranks; ++r) {
      arguments_.states[r] = reinterpret_cast<kernels::PullState*>(device.arena().on_rank(r, state));
    }
    arguments_.count = params.count();
    arguments_.rank = device.rank();
    arguments_.ranks = params.ranks;
    arguments_.guard = device.start_barrier().guard();
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    for (int r = 0; r < arguments_.ranks; ++r) arguments_.inputs[r] = device_.arena().on_rank(r, input);
    arguments_.output = output;
    kernels::launch_custom_pull(element_, arguments_, blocks_, device_.stream());
    check_launch("custom_pull");
  }

 private:
  CudaDevice& device_;
  kernels::Element element_;
  int blocks_;
  kernels::PullArguments arguments_;
};

class CustomPull final : public Strategy {
 public:
  std::string_view name() const override { return "custom-pull"; }
  std::string_view family() const override { return "custom-pull"; }
  std::string_view summary() const override {
    return "one-shot: each rank reads all messages and sums them itself";
  }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = Strategy::admit(params, context)) return refused;
    return refuse_peer_kernel(params, context, kernels::kPullMaxRanks);
  }

  void allocate(Arena& arena, const Case&) const override { allocate_state(arena); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    return std::make_unique<PullAllReduce>(CudaDevice::of(device), params);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    return estimate_cost(machine, 2, (n - 1) * static_cast<double>(params.bytes.count),
                         "2 steps + (n-1) x bytes / bandwidth");
  }
};

const RegisterStrategy<CustomPull> registered;

}  // namespace
}  // namespace ringside
