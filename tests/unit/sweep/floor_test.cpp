#include "sweep/floor.hpp"

#include "support/catch.hpp"

using namespace ringside;

namespace {

Case two_ranks(Bytes bytes) {
  Case params;
  params.strategy = "any";
  params.bytes = bytes;
  params.ranks = 2;
  return params;
}

const LinkLimits kLink{.one_way_latency_ns = 100, .node_gap_ns = 500, .bandwidth_gbps = 10};

}  // namespace

TEST_CASE("the floor is one formula for all strategies and modes, without the gap between nodes") {
  Case params = two_ranks(2_KiB);
  CHECK(floor_of(params, kLink)->time_ns == Catch::Approx(100 + 204.8));
  params.device = DeviceKind::cuda;
  params.mode = Mode::graph;
  params.strategy = "another";
  CHECK(floor_of(params, kLink)->time_ns == Catch::Approx(100 + 204.8));
  params.ranks = 8;
  CHECK(floor_of(params, kLink)->time_ns == Catch::Approx(100 + 1.75 * 204.8));
  params.collective = Collective::alltoall;
  CHECK(floor_of(params, kLink)->time_ns == Catch::Approx(100 + 0.875 * 204.8));
}

TEST_CASE("a floor of which a part was not measured is none, rather than the rest of it") {
  LinkLimits link = kLink;
  link.bandwidth_gbps.reset();
  CHECK_FALSE(floor_of(two_ranks(2_KiB), link));
  link = kLink;
  link.one_way_latency_ns.reset();
  CHECK_FALSE(floor_of(two_ranks(2_KiB), link));
  link = kLink;
  link.node_gap_ns.reset();
  CHECK(floor_of(two_ranks(2_KiB), link));
}

TEST_CASE("a time below its floor by more than that may be off can't be right") {
  const Floor floor = *floor_of(two_ranks(2_KiB), kLink);
  CHECK(below(0.79 * floor.time_ns, floor));
  CHECK_FALSE(below(0.81 * floor.time_ns, floor));
  CHECK_FALSE(below(floor.time_ns, floor));
  CHECK_FALSE(below(1e9, floor));
  CHECK(below(0, floor));

  Case gpus = two_ranks(2_KiB);
  gpus.device = DeviceKind::cuda;
  CHECK(below(0.89 * floor.time_ns, *floor_of(gpus, kLink)));
  CHECK_FALSE(below(0.91 * floor.time_ns, *floor_of(gpus, kLink)));
}

TEST_CASE("limits that were measured while something else ran make a floor as uncertain as they scatter") {
  LinkLimits link = kLink;
  link.scatter = 0.4;
  const Floor floor = *floor_of(two_ranks(2_KiB), link);
  CHECK(floor.uncertainty_ns == Catch::Approx(0.4 * floor.time_ns));
  CHECK_FALSE(below(0.7 * floor.time_ns, floor));
}
