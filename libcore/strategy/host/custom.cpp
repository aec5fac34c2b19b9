// custom: data is pushed to where it is needed, in packets that carry their own readiness. One-shot (OneShot)
// or two- shot (TwoShot), whose headers argue why they are right: which of them is faster is found by trying
// both on the message when it is prepared.
#include <optional>
#include <utility>
#include <vector>

#include "strategy/cost.hpp"
#include "strategy/host/one_shot.hpp"
#include "strategy/host/trial.hpp"
#include "strategy/host/two_shot.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr Bytes kMostOneShotMemory = 4_MiB;  // per rank; what takes more is not tried in one shot
constexpr Bytes kTryStreamingFrom = 1_MiB;   // smaller messages stay in the caches of any CPU

// The ways that are tried, each with memory of its own.
struct Ways {
  std::optional<std::byte*> one_shot;
  TwoShot::Memory two_shot;
  std::optional<TwoShot::Memory> streaming;

  std::size_t count() const { return 1u + (one_shot ? 1 : 0) + (streaming ? 1 : 0); }
};

Ways allocate_ways(Arena& arena, const Case& params) {
  Ways ways;
  if (OneShot::memory_size(params) <= kMostOneShotMemory) ways.one_shot = OneShot::allocate(arena, params);
  ways.two_shot = TwoShot::allocate(arena);
  if (params.bytes >= kTryStreamingFrom) ways.streaming = TwoShot::allocate(arena);
  return ways;
}

class Custom final : public Strategy {
 public:
  std::string_view name() const override { return "custom"; }
  std::string_view family() const override { return "custom"; }
  std::string_view summary() const override {
    return "pushes packets that carry their own readiness; one-shot or two-shot, whichever is faster here";
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
    if (ways.one_shot)
      candidates.push_back({"one-shot", std::make_unique<OneShot>(host, params, *ways.one_shot)});
    candidates.push_back({"two-shot", std::make_unique<TwoShot>(host, params, ways.two_shot, false)});
    if (ways.streaming) {
      candidates.push_back(
          {"two-shot:streaming", std::make_unique<TwoShot>(host, params, *ways.streaming, true)});
    }
    host.bootstrap().barrier();
    return take_fastest(host, params, std::move(candidates));
  }

  Estimate estimate(const Case& params, const MachineProfile& machine) const override {
    const double ranks = params.ranks;
    const double bytes = static_cast<double>(params.bytes.count);
    const Estimate one_shot =
        estimate_cost(machine, 1, (ranks - 1) * bytes, "step + (n-1) x bytes / bandwidth (one-shot)");
    const Estimate two_shot = estimate_cost(machine, 2, 2 * (ranks - 1) / ranks * bytes,
                                            "2 x step + 2(n-1)/n x bytes / bandwidth (two-shot)");
    return one_shot.time_ns <= two_shot.time_ns ? one_shot : two_shot;
  }
};

const RegisterStrategy<Custom> registered;

}  // namespace
}  // namespace ringside
