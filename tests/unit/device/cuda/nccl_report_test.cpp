#include "device/cuda/nccl_report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("the tuning report of a classic kernel gives algorithm, protocol and channels") {
  const auto ran = parse_nccl_report(
      "box:412:412 [0] NCCL INFO AllReduce: 65536 Bytes -> Algo RING proto LL128 channel{Lo..Hi}={0..15}\n");
  CHECK(ran == NcclRan{"RING/LL128", 16});
}

TEST_CASE("the tuning report of a symmetric kernel gives its name") {
  const auto ran = parse_nccl_report(
      "box:412:412 [0] NCCL INFO AllReduce [Symmetric]: 4096 Bytes -> Kernel AllReduce_AGxLL_R nchannels 2 "
      "nthreads 512 "
      "nWorks 1\n");
  CHECK(ran == NcclRan{"SYMMETRIC/AGxLL_R", 2});
}

TEST_CASE("the last of several reports counts, and other lines do not") {
  const auto ran = parse_nccl_report(
      "x NCCL INFO   Algorithm   |                            Tree                    |\n"
      "x NCCL INFO AllReduce: 1024 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}\n"
      "x NCCL INFO AllGather: 1024 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..3}\n"
      "x NCCL INFO AllReduce: 2048 Bytes -> Algo TREE proto SIMPLE channel{Lo..Hi}={0..1}\n"
      "x NCCL INFO ncclAllReduce opCount 0\n");
  CHECK(ran == NcclRan{"TREE/SIMPLE", 2});
  for (const char* range : {"", "0", "{0..}", "{3..1}", "{0..x}", "{-1..0}", "{0..99999999999}"}) {
    const auto without = parse_nccl_report(
        fmt::format("x NCCL INFO AllReduce: 1 Bytes -> Algo RING proto LL channel{{Lo..Hi}}={}\n", range));
    CHECK(without == NcclRan{"RING/LL", std::nullopt});
  }
  CHECK_FALSE(parse_nccl_report("").has_value());
  CHECK_FALSE(parse_nccl_report("AllReduce: garbage\n").has_value());
}

TEST_CASE("a report is written to memory and taken piece by piece") {
  NcclReport report;
  CHECK(std::string(std::getenv("NCCL_DEBUG_SUBSYS")) == "TUNING");
  std::FILE* file = std::fopen(std::getenv("NCCL_DEBUG_FILE"), "w");  // as NCCL does
  REQUIRE(file != nullptr);
  std::setvbuf(file, nullptr, _IOLBF, 0);
  std::fputs("one\n", file);
  CHECK(report.take() == "one\n");
  CHECK(report.take().empty());
  std::fputs("two\n", file);
  CHECK(report.take() == "two\n");
  std::fclose(file);
  for (const char* name : {"NCCL_DEBUG", "NCCL_DEBUG_SUBSYS", "NCCL_DEBUG_FILE"}) ::unsetenv(name);
}
