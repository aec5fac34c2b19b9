// custom-push-ll: as custom-push, but half of every word on the wire is a flag (the LL protocol,
// kernels/custom_push_ll.cu).
#include "kernels/custom_push_ll.hpp"
#include "kernels/custom_push.hpp"

#include "strategy/cost.hpp"
#include "strategy/cuda/packet_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr PacketKernel kKernel{
    "custom_push_ll", [](std::size_t bytes, int) { return kernels::push_ll_row_bytes(bytes); },
    kernels::push_shape,
    [](kernels::Element element, const kernels::TwoShotArguments& arguments,
       const kernels::LaunchShape& shape, cudaStream_t stream) {
      return kernels::launch_custom_push_ll(element, arguments.packets, shape, stream);
    }};

template <bool Dependent>
class CustomPushLl final : public PacketStrategy {
 public:
  CustomPushLl() : PacketStrategy(kKernel, Dependent) {}
  std::string_view name() const override { return Dependent ? "custom-push-ll:pdl" : "custom-push-ll"; }
  std::string_view family() const override { return "custom-push-ll"; }
  std::string_view summary() const override {
    return Dependent ? "one-shot push with a flag in every word, with programmatic dependent launch"
                     : "one-shot: each rank stores its message at all peers, a flag in every 8-byte word";
  }
  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    return estimate_cost(machine, 1, 2 * (n - 1) * static_cast<double>(params.bytes.count),
                         "step + 2(n-1) x bytes / bandwidth");
  }
};

const RegisterStrategy<CustomPushLl<false>> registered;
const RegisterStrategy<CustomPushLl<true>> registered_dependent;

}  // namespace
}  // namespace ringside
