// custom-pull: every rank reads its peers' whole messages and sums them itself, with barriers around
// (one-shot pull, kernels/custom_pull.cu). What vLLM's and SGLang's one-stage kernels do; the reference for
// all later ones. custom-pull:two-stage: each rank sums a share, and all read the shares' sums
// (kernels/custom_pull_two_stage.cu), as these servers do for large messages at more than 2 ranks.
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

enum class Stages { one, two };

struct PullBlocks {
  std::byte* state;
  std::byte* sums;  // null with one stage
};

PullBlocks allocate_blocks(Arena& arena, const Case& params, Stages stages) {
  std::byte* const state = arena.allocate({sizeof(kernels::PullState)});
  if (stages == Stages::one) return {state, nullptr};
  return {state, arena.allocate({kernels::pull_sums_bytes(params.bytes.count, params.ranks)})};
}

class PullAllReduce final : public PreparedCollective {
 public:
  PullAllReduce(CudaDevice& device, const Case& params, Stages stages)
      : device_(device),
        stages_(stages),
        element_(kernel_element(params.dtype)),
        blocks_(kernels::pull_blocks(summed_bytes(params, stages), device.multiprocessors())) {
    const auto [state, sums] = allocate_blocks(device.arena(), params, stages);
    check_cuda(cudaMemsetAsync(state, 0, sizeof(kernels::PullState), device.stream()), "cudaMemsetAsync");
    device.finish();
    device.bootstrap().barrier();  // no peer may write into a state that its owner has not zeroed
    for (int r = 0; r < params.ranks; ++r) {
      arguments_.states[r] = reinterpret_cast<kernels::PullState*>(device.arena().on_rank(r, state));
      if (sums != nullptr) arguments_.sums[r] = device.arena().on_rank(r, sums);
    }
    arguments_.count = params.count();
    arguments_.rank = device.rank();
    arguments_.ranks = params.ranks;
    arguments_.guard = device.start_barrier().guard();
  }

  void enqueue(const std::byte* input, std::byte* output) override {
    for (int r = 0; r < arguments_.ranks; ++r) arguments_.inputs[r] = device_.arena().on_rank(r, input);
    arguments_.output = output;
    if (stages_ == Stages::one) {
      check_cuda(kernels::launch_custom_pull(element_, arguments_, blocks_, device_.stream()),
                 "launch of custom_pull");
    } else {
      check_cuda(kernels::launch_custom_pull_two_stage(element_, arguments_, blocks_, device_.stream()),
                 "launch of custom_pull_two_stage");
    }
  }

 private:
  static std::size_t summed_bytes(const Case& params, Stages stages) {
    return stages == Stages::one ? params.bytes.count
                                 : params.bytes.count / static_cast<std::size_t>(params.ranks);
  }

  CudaDevice& device_;
  Stages stages_;
  kernels::Element element_;
  int blocks_;
  kernels::PullArguments arguments_;
};

template <Stages kStages>
class CustomPull final : public Strategy {
 public:
  std::string_view name() const override {
    return kStages == Stages::one ? "custom-pull" : "custom-pull:two-stage";
  }
  std::string_view family() const override { return "custom-pull"; }
  std::string_view summary() const override {
    return kStages == Stages::one
               ? "one-shot: each rank reads all messages and sums them itself"
               : "each rank sums a share, all read the sums; not run on more than 2 GPUs yet";
  }
  DeviceKind device() const override { return DeviceKind::cuda; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }

  std::optional<Finding> admit(const Case& params, const AdmissionContext& context) const override {
    if (auto refused = Strategy::admit(params, context)) return refused;
    return refuse_peer_kernel(params, context, kernels::kPullMaxRanks);
  }

  void allocate(Arena& arena, const Case& params) const override { allocate_blocks(arena, params, kStages); }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    return std::make_unique<PullAllReduce>(CudaDevice::of(device), params, kStages);
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    if (kStages == Stages::two) {
      return estimate_cost(machine, 3, 2 * (n - 1) / n * static_cast<double>(params.bytes.count),
                           "3 steps + 2(n-1)/n x bytes / bandwidth");
    }
    return estimate_cost(machine, 2, (n - 1) * static_cast<double>(params.bytes.count),
                         "2 steps + (n-1) x bytes / bandwidth");
  }
};

const RegisterStrategy<CustomPull<Stages::one>> registered;
const RegisterStrategy<CustomPull<Stages::two>> registered_two_stage;

}  // namespace
}  // namespace ringside
