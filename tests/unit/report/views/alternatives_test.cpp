#include "report/views/trace_parts.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("changes that differ in their last value alone share a line") {
  const auto lines = alternatives({{{"--a2a none"}, "pass", "the all-to-all", 5},
                                   {{"--runner auto"}, "no-runner", "the runner", 3},
                                   {{"--runner triton"}, "no-runner", "the runner", 3},
                                   {{"--runner cutlass"}, "pass", "the runner", 3}})
                         .items;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].changes == "--a2a none");
  CHECK(lines[1].changes == "--runner auto (or triton)");
  CHECK(lines[2].changes == "--runner cutlass");
}

TEST_CASE("pairs share a line only when their first change is the same") {
  const auto lines = alternatives({{{"--x 1", "--fraction 0.85"}, "pass", "memory", 3},
                                   {{"--x 1", "--fraction 0.9"}, "pass", "memory", 3},
                                   {{"--x 2", "--fraction 0.9"}, "pass", "memory", 3},
                                   {{"without --eplb"}, "pass", "memory", 3},
                                   {{"without --metrics"}, "pass", "memory", 3}})
                         .items;
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].changes == "--x 1 and --fraction 0.85 (or 0.9)");
  CHECK(lines[3].changes == "without --metrics");
}
