#include "protocol/requests.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("What the link can do comes back from a rank, and what was not measured as nothing") {
  LinkLimits read;
  decode(encode(LinkLimits{.one_way_latency_ns = 140.5, .bandwidth_gbps = 17, .scatter = 0.25}), read);
  CHECK(read.one_way_latency_ns == 140.5);
  CHECK(read.node_gap_ns == std::nullopt);
  CHECK(read.bandwidth_gbps == 17.0);
  CHECK(read.scatter == 0.25);
  CHECK(read.missing.empty());
  decode(encode(LinkLimits{.node_gap_ns = 500, .missing = "no peer access"}), read);
  CHECK(read.one_way_latency_ns == std::nullopt);
  CHECK(read.node_gap_ns == 500.0);
  CHECK(read.bandwidth_gbps == std::nullopt);
  CHECK(read.missing == "no peer access");
}

TEST_CASE("What a library reports of a call comes back from a rank, its channels too") {
  PrepareReply reply{5000, std::nullopt, "RING/LL"};
  PrepareReply read;
  reply.channels = 16;
  decode(encode(reply), read);
  CHECK(read.ran == "RING/LL");
  CHECK(read.channels == 16);
  reply.channels.reset();
  PrepareReply without;
  decode(encode(reply), without);
  CHECK(without.channels == std::nullopt);
}

TEST_CASE("what a rank had of its core comes back with its times, and what it does not know stays unknown") {
  SampleReply read;
  decode(encode(SampleReply{{1.5}, std::nullopt, TurnConditions{8e6, 7e6, std::nullopt, 9000.0}}), read);
  REQUIRE(read.conditions);
  CHECK(read.conditions->wall_ns == 8e6);
  CHECK(read.conditions->cpu_ns == 7e6);
  CHECK(read.conditions->waited_ns == std::nullopt);
  CHECK(read.conditions->spin_ns == 9000.0);
  SampleReply without;
  decode(encode(SampleReply{{1.5}}), without);
  CHECK_FALSE(without.conditions);
}
