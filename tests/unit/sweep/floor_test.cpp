#include "sweep/floor.hpp"

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;

namespace {

Case two_ranks(Bytes bytes) {
  Case params;
  params.strategy = "any";
  params.bytes = bytes;
  params.ranks = 2;
  return params;
}

const NamedStrategy kRing("ring");
const LinkLimits kLink{.one_way_latency_ns = 100, .node_gap_ns = 500, .bandwidth_gbps = 10};

}  // namespace

TEST_CASE("the floor is one formula for all strategies and modes, without the gap between nodes") {
  Case params = two_ranks(2_KiB);
  CHECK(floor_of(params, InputState::fresh, kLink)->time_ns == Catch::Approx(100 + 204.8));
  params.device = DeviceKind::cuda;
  params.mode = Mode::graph;
  params.strategy = "another";
  CHECK(floor_of(params, InputState::fresh, kLink)->time_ns == Catch::Approx(100 + 204.8));
  params.ranks = 8;
  CHECK(floor_of(params, InputState::fresh, kLink)->time_ns ==
        Catch::Approx(100 + 204.8) /* a switch may add */);
  params.collective = Collective::alltoall;
  CHECK(floor_of(params, InputState::fresh, kLink)->time_ns == Catch::Approx(100 + 0.875 * 204.8));
}

TEST_CASE("a floor of which a part was not measured is none, rather than the rest of it") {
  LinkLimits link = kLink;
  link.bandwidth_gbps.reset();
  CHECK_FALSE(floor_of(two_ranks(2_KiB), InputState::fresh, link));
  link = kLink;
  link.one_way_latency_ns.reset();
  CHECK_FALSE(floor_of(two_ranks(2_KiB), InputState::fresh, link));
  link = kLink;
  link.node_gap_ns.reset();
  CHECK(floor_of(two_ranks(2_KiB), InputState::fresh, link));
  // On the host the link's rate is that of fresh data: what a call before has left in the caches is faster.
  CHECK_FALSE(floor_of(two_ranks(2_KiB), InputState::warm, kLink));
}

TEST_CASE("a time below its floor by more than that may be off can't be right") {
  const Floor floor = *floor_of(two_ranks(2_KiB), InputState::fresh, kLink);
  CHECK(below(0.79 * floor.time_ns, floor));
  CHECK_FALSE(below(0.81 * floor.time_ns, floor));
  CHECK_FALSE(below(floor.time_ns, floor));
  CHECK_FALSE(below(1e9, floor));
  CHECK(below(0, floor));

  Case gpus = two_ranks(2_KiB);
  gpus.device = DeviceKind::cuda;
  CHECK(below(0.89 * floor.time_ns, *floor_of(gpus, InputState::warm, kLink)));
  CHECK_FALSE(below(0.91 * floor.time_ns, *floor_of(gpus, InputState::warm, kLink)));
}

TEST_CASE("limits that were measured while something else ran make a floor as uncertain as they scatter") {
  LinkLimits link = kLink;
  link.scatter = 0.4;
  const Floor floor = *floor_of(two_ranks(2_KiB), InputState::fresh, link);
  CHECK(floor.uncertainty_ns == Catch::Approx(0.4 * floor.time_ns));
  CHECK_FALSE(below(0.7 * floor.time_ns, floor));
}

TEST_CASE("where a part of the floor was not measured no row has one, and a finding says why") {
  FakeClock clock;
  Script script;
  script.limits = {.one_way_latency_ns = 100, .node_gap_ns = 50, .missing = "no GPU has peer access"};
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock);
  const Row& row = document.rows.front();
  CHECK(row.status == Status::pass);
  CHECK(row.floor_ns == std::nullopt);  // and not the latency alone
  CHECK(row.floor_uncertainty_ns == std::nullopt);
  CHECK(row.of_floor == std::nullopt);
  CHECK(row.launches.front().floor_ns == std::nullopt);
  REQUIRE(document.links.size() == 1);
  CHECK(document.links[0].one_way_latency_ns == 100);
  CHECK(document.links[0].node_gap_ns == 50);
  CHECK(document.links[0].bandwidth_gbps == std::nullopt);
  const Finding* const unknown = document.find("floor-unknown:floor");
  REQUIRE(unknown != nullptr);
  CHECK(unknown->message == "floor not known: no GPU has peer access");
}

TEST_CASE("a row on fresh data has its floor and how far it may be off, a row on warm ones has none") {
  for (const InputState input : {InputState::fresh, InputState::warm}) {
    FakeClock clock;
    Script script;
    script.limits.scatter = 0.5;
    ScriptedRanks ranks(clock, script);
    SweepRequest request;
    request.input = input;
    const Document document = sweep(scripted_plan({&kRing}, {2_KiB}, request), ranks, clock);
    const Row& row = document.rows.front();
    const bool fresh = input == InputState::fresh;
    CHECK(row.floor_ns.has_value() == fresh);
    CHECK((document.find("floor-unknown:floor") == nullptr) == fresh);
    if (!fresh) continue;
    CHECK(*row.floor_ns == Catch::Approx(100 + 204.8));
    CHECK(*row.floor_uncertainty_ns == Catch::Approx(*row.floor_ns / 2));
    CHECK(row.launches.front().floor_ns == row.floor_ns);
  }
}
