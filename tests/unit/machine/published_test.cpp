#include "machine/published.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// A message as the source counts it.
Bytes elements(std::uint64_t count) {
  return {2 * count};
}

double time_us(std::string_view gpu, int gpus, Bytes bytes, std::string_view library = "NCCL") {
  const PublishedTable* const table = published_tables().find(gpu, gpus, library);
  REQUIRE(table != nullptr);
  const auto time = published_time(*table, bytes);
  REQUIRE(time);
  CHECK_FALSE(time->interpolated);
  return time->time_ns / 1e3;
}

constexpr const char* kTable = R"(source = "s"
date = "d"
license = "l"
defects = ["none"]
[[gpu]]
name = "A"
driver_names = ["GPU A", "GPU A+"]
[[table]]
gpu = "A"
gpus = 4
library = "NCCL"
version = "1"
first = 1024
us = [1, 4, 16]
)";

PublishedTables read(const std::string& text) {
  return read_published_tables({"published", "published.toml", text});
}

}  // namespace

TEST_CASE("published times are those of the source, whose sizes are elements of two bytes") {
  CHECK(time_us("NVIDIA H200", 8, elements(8192)) == Catch::Approx(18.3));
  CHECK(time_us("NVIDIA H200", 8, 16_KiB) == Catch::Approx(18.3));
  CHECK(time_us("NVIDIA H200", 2, elements(256)) == Catch::Approx(6.05));
  CHECK(time_us("NVIDIA H100 80GB HBM3", 4, elements(8192)) == Catch::Approx(12.46));
  CHECK(time_us("NVIDIA B200", 8, elements(8388608)) == Catch::Approx(99.07));
  CHECK(time_us("NVIDIA A100-SXM4-80GB", 2, elements(256)) == Catch::Approx(9.98));
  CHECK(time_us("NVIDIA L40S", 8, elements(256)) == Catch::Approx(22.6));
  CHECK(time_us("NVIDIA H200", 8, elements(1024), "SGLang") == Catch::Approx(3.334).epsilon(1e-3));
}

TEST_CASE("a GPU that the tables do not name has no published time, however alike its name is") {
  for (const char* name : {"NVIDIA H200 NVL", "NVIDIA H100 PCIe", "NVIDIA GeForce RTX 5090", "H200", "",
                           "NVIDIA RTX PRO 6000 Blackwell Workstation Edition"})
    CHECK(published_tables().find(name, 8, "NCCL") == nullptr);
  CHECK(published_tables().find("NVIDIA H200", 6, "NCCL") == nullptr);
  CHECK(published_tables().find("NVIDIA H200", 8, "RCCL") == nullptr);
}

TEST_CASE("between two sizes a time lies evenly in both logarithms and says so, outside there is none") {
  const PublishedTable table = read(kTable).tables.front();
  const auto between = published_time(table, {1448});  // 1024 x sqrt(2)
  REQUIRE(between);
  CHECK(between->interpolated);
  CHECK(between->time_ns == Catch::Approx(2000).epsilon(1e-3));
  CHECK_FALSE(published_time(table, {2048})->interpolated);
  CHECK(published_time(table, {4096})->time_ns == 16000);
  CHECK_FALSE(published_time(table, {1023}));
  CHECK_FALSE(published_time(table, {4097}));
}

TEST_CASE("the published tables say whose they are and what is wrong with them") {
  const PublishedTables& tables = published_tables();
  CHECK(tables.license == "Apache-2.0");
  CHECK(tables.date == "2026-08-21");
  CHECK(tables.defects.size() >= 5);
  CHECK(tables.tables.size() == 34);
}

TEST_CASE("a table of a GPU that has no names is refused with its place") {
  std::string text = kTable;
  text.replace(text.find("gpu = \"A\""), 9, "gpu = \"B\"");
  CHECK_THROWS_WITH(read(text), Catch::Matchers::ContainsSubstring("published.toml:9:"));
}
