// custom: data is pushed to where it is needed, in packets that carry their own readiness. One-shot (OneShot)
// or two- shot (TwoShot), whose headers argue why they are right: which of them is faster is found by trying
// both on the message when it is prepared.
#include <utility>
#include <vector>

#include "strategy/cost.hpp"
#include "strategy/host/one_shot.hpp"
#include "strategy/host/trial.hpp"
#include "strategy/host/two_shot.hpp"
#include "strategy/registry.hpp"

namespace ringside {
namespace {

constexpr Bytes kMostOneShotScratch = 4_MiB;  // per rank; what takes more is not tried in one shot
constexpr Bytes kTryStreamingFrom = 1_MiB;    // smaller messages stay in the caches of any CPU

bool one_shot_tried(const Case& params) {
  return OneShot::scratch(params) <= kMostOneShotScratch;
}

bool streaming_tried(const Case& params) {
  return params.bytes >= kTryStreamingFrom;
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

  Bytes scratch(const Case& params) const override {
    const bool trial = one_shot_tried(params) || streaming_tried(params);
    return {(one_shot_tried(params) ? OneShot::scratch(params).count : 0) +
            (streaming_tried(params) ? 2u : 1u) * TwoShot::scratch(params.ranks).count +
            (trial ? trial_need(params.bytes).count : 0)};
  }

  std::unique_ptr<PreparedCollective> prepare(RankDevice& device, const Case& params) const override {
    HostDevice& host = as_host(device);
    std::vector<TrialCandidate> candidates;
    if (one_shot_tried(params)) candidates.push_back({"one-shot", std::make_unique<OneShot>(host, params)});
    candidates.push_back({"two-shot", std::make_unique<TwoShot>(host, params, false)});
    if (streaming_tried(params))
      candidates.push_back({"two-shot:streaming", std::make_unique<TwoShot>(host, params, true)});
    host.exchange().barrier();
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
