// custom-two-shot: each rank sums its share of the message and stores the sums at all peers (reduce-scatter
// and all-gather in one kernel, kernels/custom_two_shot.cu).
#include "kernels/custom_two_shot.hpp"

#include "strategy/cost.hpp"
#include "strategy/cuda/packet_strategy.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr PacketKernel kKernel{"custom_two_shot", kernels::two_shot_row_bytes, kernels::two_shot_shape,
                               kernels::launch_custom_two_shot};

template <bool Dependent>
class CustomTwoShot final : public PacketStrategy {
 public:
  CustomTwoShot() : PacketStrategy(kKernel, Dependent) {}
  std::string_view name() const override { return Dependent ? "custom-two-shot:pdl" : "custom-two-shot"; }
  std::string_view family() const override { return "custom-two-shot"; }
  std::string_view summary() const override {
    return Dependent ? "two-shot push, with programmatic dependent launch"
                     : "two-shot: each rank sums its share and stores the sums at all peers";
  }
  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double n = params.ranks;
    return estimate_cost(machine, 3, 2 * (n - 1) / n * static_cast<double>(params.bytes.count),
                         "3 steps + 2(n-1)/n x bytes / bandwidth");
  }
};

const RegisterStrategy<CustomTwoShot<false>> registered;
const RegisterStrategy<CustomTwoShot<true>> registered_dependent;

}  // namespace
}  // namespace ringside
