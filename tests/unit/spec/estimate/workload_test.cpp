#include "spec/estimate/workload.hpp"

#include "base/errors.hpp"
#include "spec/estimate/fixed_times.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a server's version or date gives the age of its software") {
  CHECK(parse_server_software("vllm@0.8.5").age == SoftwareAge::half1_2025);
  CHECK(parse_server_software("vllm@0.11.0").age == SoftwareAge::half2_2025);
  CHECK(parse_server_software("vLLM@v0.19.0").age == SoftwareAge::half1_2026);
  CHECK(parse_server_software("sglang@0.5.9").kind == ServerKind::sglang);
  CHECK(parse_server_software("sglang@0.5.10.post1").age == SoftwareAge::half1_2026);
  CHECK(parse_server_software("trtllm@1.0.0rc3").age == SoftwareAge::half2_2025);
  CHECK(parse_server_software("2026-03").age == SoftwareAge::half1_2026);
  CHECK(parse_server_software("2026-03").kind == ServerKind::unknown);
  CHECK(parse_server_software("vllm@2025-07").age == SoftwareAge::half2_2025);
  CHECK(parse_server_software("vllm").age == SoftwareAge::unknown);
  CHECK_THROWS_AS(parse_server_software("llama.cpp"), UsageError);
  CHECK_THROWS_AS(parse_server_software("vllm@new"), UsageError);
  CHECK_THROWS_AS(parse_server_software("2026-13"), UsageError);
  CHECK_THROWS_AS(parse_server_software(""), UsageError);
}

TEST_CASE("kinds of drafts are read as servers call them") {
  CHECK(parse_draft_kind("EAGLE3") == DraftKind::eagle3);
  CHECK(parse_draft_kind("NEXTN") == DraftKind::mtp);
  CHECK(parse_draft_kind("deepseek_mtp") == DraftKind::mtp);
  CHECK(parse_draft_kind("draft_model") == DraftKind::separate);
  CHECK(parse_draft_kind("ngram") == DraftKind::ngram);
  CHECK_THROWS_AS(parse_draft_kind("magic"), UsageError);
}

TEST_CASE("times of a collective go on evenly in both logarithms") {
  const CollectiveTimes times =
      collective_times({{1024, 10}, {4096, 20}, {16384, 80}}, Origin::measured, "here");
  CHECK(times.at_us(1024) == Catch::Approx(10));
  CHECK(times.at_us(2048) == Catch::Approx(14.142).epsilon(1e-3));
  CHECK(times.at_us(16384) == Catch::Approx(80));
  CHECK(times.at_us(8) == Catch::Approx(10));       // never below the smallest
  CHECK(times.at_us(65536) == Catch::Approx(320));  // in proportion to the bytes, no faster
  CHECK_THROWS_AS(collective_times({}, Origin::measured, ""), UsageError);
  CHECK_THROWS_AS(collective_times({{1024, 0}}, Origin::measured, ""), UsageError);
}

TEST_CASE("published allreduces are a server's own kernels where they are recorded") {
  const CollectiveTimes h200 = published_allreduce("h200_sxm", 8);
  REQUIRE(h200);
  CHECK(h200.origin == Origin::reported);
  CHECK(h200.source.find("SGLang") != std::string::npos);
  CHECK(h200.at_us(16384) < 10);
  // The eight GPUs of the story: 31 to 34 us at 64 KiB.
  const CollectiveTimes pcie = published_allreduce("rtx_pro_6000_server", 8);
  CHECK(pcie.at_us(65536) > 30);
  CHECK(pcie.at_us(65536) < 35);
  CHECK(pcie.factor > h200.factor);  // servers are wired differently
  double before = 0;
  for (double bytes = 512; bytes <= 1 << 23; bytes *= 2) {
    CHECK(h200.at_us(bytes) >= before);
    before = h200.at_us(bytes);
  }
  CHECK_FALSE(published_allreduce("h200_sxm", 1));
  CHECK_FALSE(published_allreduce("no such GPU", 8));
  CHECK(published_allreduce("gb200", 8).factor > published_allreduce("gb200", 4).factor);
}

TEST_CASE("older software and unknown software cost more fixed time or more doubt") {
  const auto times = [](const char* server) {
    return fixed_times(parse_server_software(server), false, true);
  };
  CHECK(times("sglang@2025-02").complex_us.median > 3 * times("sglang@2025-11").complex_us.median);
  CHECK(times("vllm@2025-03").host_ms.median > times("vllm@2026-03").host_ms.median);
  CHECK(times("vllm").complex_us.factor >= 2);
  CHECK(times("vllm@2026-09").complex_us.median == times("vllm@2026-03").complex_us.median);
  CHECK(times("2026-03").complex_us.median > 0);
}

TEST_CASE("the rows of one type of GPU can be left out of the fixed times") {
  const ServerSoftware server = parse_server_software("trtllm@2025-11");
  CHECK(fixed_times(server, false, true).complex_us.median == 17);
  CHECK(fixed_times(server, false, true, "h200_sxm").complex_us.median == 19);
  CHECK(fixed_times(server, false, true, "b200_sxm").simple_us.median == 10);
  CHECK(fixed_times(server, false, true, "l40s").complex_us.median == 17);
}

TEST_CASE("fixed times that are none are refused") {
  const ServerSoftware server;
  CHECK_THROWS_AS(
      read_fixed_times({"x", "x.toml", "source = \"s\"\ndate = \"d\"\n"}, server, false, false, ""),
      UsageError);
}
