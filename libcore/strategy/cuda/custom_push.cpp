// custom-push: every rank stores its message into slots at all peers; the data themselves say that they
// have come (one-shot push, kernels/custom_push.cu).
#include "kernels/custom_push.hpp"

#include "strategy/cost.hpp"
#include "strategy/cuda/packet_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr PacketKernel kKernel{
    "custom_push", [](std::size_t bytes, int) { return kernels::push_row_bytes(bytes); }, kernels::push_shape,
    [](kernels::Element element, const kernels::TwoShotArguments& arguments,
       const kernels::LaunchShape& shape, cudaStream_t stream) {
      return kernels::launch_custom_push(element, arguments.packets, shape, stream);
    }};

template <bool Dependent>
class CustomPush final : public PacketStrategy {
 public:
  CustomPush() : PacketStrategy(kKernel, Dependent) {}
  std::string_view name() const override { return Dependent ? "custom-push:pdl" : "custom-push"; }
  std::string_view family() const override { return "custom-push"; }
  std::string_view summary() const override {
    return Dependent ? "one-shot push of bare data, with programmatic dependent launch"
                     : "one-shot: each rank stores its message at all peers, without flags or barriers";
  }
  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    return estimate_cost(machine, 1, (n - 1) * static_cast<double>(params.bytes.count),
                         "step + (n-1) x bytes / bandwidth");
  }
};

const RegisterStrategy<CustomPush<false>> registered;
const RegisterStrategy<CustomPush<true>> registered_dependent;

}  // namespace
}  // namespace ringside
