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
