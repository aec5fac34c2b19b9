// symmetric: every rank maps the same heap, reads its peers' inputs where they lie and writes their outputs.
// See DirectReduction for why that is right.
#include <utility>
#include <vector>

#include "strategy/cost.hpp"
#include "strategy/host/direct_reduction.hpp"
#include "strategy/host/trial.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr Bytes kTryStreamingFrom = 1_MiB;  // smaller messages stay in the caches of any CPU

class Symmetric final : public Strategy {
 public:
  std::string_view name() const override { return "symmetric"; }
  std::string_view family() const override { return "symmetric"; }
  std::string_view summary() const override {
    return "each rank reduces its part straight from its peers' inputs into their outputs";
  }
  DeviceKind device() const override { return DeviceKind::host; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }

  Bytes scratch(const Case& params) const override {
    const Bytes one = DirectReduction::scratch(params.ranks);
    if (params.bytes < kTryStreamingFrom) return one;
    return {2 * one.count + trial_need(params.bytes).count};
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    std::vector<TrialCandidate> candidates;
    candidates.push_back({"direct", std::make_unique<DirectReduction>(host, params, false)});
    if (params.bytes >= kTryStreamingFrom)
      candidates.push_back({"direct:streaming", std::make_unique<DirectReduction>(host, params, true)});
    host.exchange().barrier();
    return take_fastest(host, params, std::move(candidates));
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double ranks = params.ranks;
    const double bytes = static_cast<double>(params.bytes.count);
    return estimate_cost(machine, 2, 2 * (ranks - 1) / ranks * bytes,
                         "2 x step + 2(n-1)/n x bytes / bandwidth");
  }
};

const RegisterStrategy<Symmetric> registered;

}  // namespace
}  // namespace ringside
