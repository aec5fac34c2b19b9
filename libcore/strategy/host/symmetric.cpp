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

// The ways that are tried, each with memory of its own.
struct Ways {
  std::byte* direct;
  std::byte* streaming;  // null: not tried

  std::size_t count() const { return streaming == nullptr ? 1 : 2; }
};

Ways allocate_ways(Arena& arena, const Case& params) {
  std::byte* const direct = DirectReduction::allocate(arena);
  return {direct, params.bytes >= kTryStreamingFrom ? DirectReduction::allocate(arena) : nullptr};
}

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

  void allocate(Arena& arena, const Case& params) const override {
    const Ways ways = allocate_ways(arena, params);
    allocate_trial(arena, params, ways.count());
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    const Ways ways = allocate_ways(host.arena(), params);
    std::vector<TrialCandidate> candidates;
    candidates.push_back({"direct", std::make_unique<DirectReduction>(host, params, ways.direct, false)});
    if (ways.streaming != nullptr) {
      candidates.push_back(
          {"direct:streaming", std::make_unique<DirectReduction>(host, params, ways.streaming, true)});
    }
    host.bootstrap().barrier();
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
