#include <string>

#include "strategy/registry.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// Round numbers: a step is 1000 ns, a GB/s is a byte per ns.
MachineProfile machine() {
  MachineProfile profile;
  profile.one_way_latency_ns = 700;
  profile.step_overhead_ns = 300;
  profile.call_overhead_ns = 50;
  profile.bandwidth_gbps = 10;
  return profile;
}

Estimate estimate(std::string_view strategy, int ranks, Bytes bytes, DType dtype = DType::bf16) {
  Case params;
  params.ranks = ranks;
  params.bytes = bytes;
  params.dtype = dtype;
  return find_strategy(strategy, DeviceKind::host)->estimate(params, machine());
}

}  // namespace

TEST_CASE("ring: 2(n-1) steps, fp32 partials on the way there and results on the way round") {
  // 8 ranks: 14 steps; 7/8 of 80,000 elements of 4 + 2 bytes.
  CHECK(estimate("ring", 8, 160'000_B).time_ns == Catch::Approx(50 + 14 * 1000 + 70'000 * 6 / 10.0));
  CHECK(estimate("ring", 8, 160'000_B, DType::fp32).time_ns ==
        Catch::Approx(50 + 14 * 1000 + 35'000 * 8 / 10.0));
}

TEST_CASE("tree: up and down its height, and what the busiest rank takes in") {
  // 8 ranks: height 3; an inner rank takes two fp32 partials and one result.
  CHECK(estimate("tree", 8, 160'000_B).time_ns ==
        Catch::Approx(50 + 6 * 1000 + (2 * 320'000 + 160'000) / 10.0));
  // 2 ranks: the root takes one partial, its child one result.
  CHECK(estimate("tree", 2, 160'000_B).time_ns == Catch::Approx(50 + 2 * 1000 + 320'000 / 10.0));
}

TEST_CASE("symmetric: two steps and 2(n-1)/n of the message") {
  CHECK(estimate("symmetric", 8, 160'000_B).time_ns == Catch::Approx(50 + 2 * 1000 + 280'000 / 10.0));
}

TEST_CASE("custom: one-shot for small messages, two-shot for large ones, and it says which") {
  const Estimate small = estimate("custom", 8, 1000_B);
  CHECK(small.time_ns == Catch::Approx(50 + 1000 + 7000 / 10.0));
  CHECK(small.formula.find("one-shot") != std::string::npos);
  const Estimate large = estimate("custom", 8, 160'000_B);
  CHECK(large.time_ns == Catch::Approx(50 + 2 * 1000 + 280'000 / 10.0));
  CHECK(large.formula.find("two-shot") != std::string::npos);
}

TEST_CASE("every estimate says how it was computed") {
  for (const Strategy* strategy : find_strategies("all", DeviceKind::host)) {
    const std::string formula = estimate(strategy->name(), 4, 2_KiB).formula;
    INFO(formula);
    CHECK(formula.starts_with("call + "));
    CHECK(formula.find("bandwidth") != std::string::npos);
  }
}
