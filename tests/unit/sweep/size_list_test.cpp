#include "sweep/size_list.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::vector<std::uint64_t> sizes(std::string_view text) {
  std::vector<std::uint64_t> counts;
  for (const Bytes size : parse_size_list(text)) counts.push_back(size.count);
  return counts;
}

std::string problem(std::string_view text) {
  try {
    parse_size_list(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

using Sizes = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("lists and ranges of sizes are expanded") {
  CHECK(sizes("2K") == Sizes{2048});
  CHECK(sizes("6, 2K,14336") == Sizes{6, 2048, 14336});
  CHECK(sizes("1K:8K:x2") == Sizes{1024, 2048, 4096, 8192});
  CHECK(sizes("1K:8K") == Sizes{1024, 2048, 4096, 8192});
  CHECK(sizes("1K:10K:x3") == Sizes{1024, 3072, 9216});
  CHECK(sizes("1K:4K:+1K") == Sizes{1024, 2048, 3072, 4096});
  CHECK(sizes("2,1K:2K:x2,1M") == Sizes{2, 1024, 2048, 1 << 20});
  CHECK(sizes("4K:4K:x2") == Sizes{4096});
}

TEST_CASE("sizes that can't be asked for are refused with the reason") {
  CHECK(problem("16M:2K:x2") == "the range '16M:2K:x2' descends");
  CHECK(problem("4K,2K") == "sizes must ascend, but 2K follows 4K");
  CHECK(problem("2K,2048") == "size 2K comes twice");
  CHECK(problem("0") == "a message of 0 bytes can't be measured");
  CHECK(problem("0:4K:+1K") == "a message of 0 bytes can't be measured");
  CHECK(problem("1K:2K:x1") == "'x1' is no way to go on: expected x2 to x1024, or +STEP such as +64K");
  CHECK(problem("1K:2K:x2.5") == "'x2.5' is no way to go on: expected x2 to x1024, or +STEP such as +64K");
  CHECK(problem("1K:2K:+0") == "'+0' is no way to go on: expected x2 to x1024, or +STEP such as +64K");
  CHECK(problem("1K:2K:*2") == "'*2' is no way to go on: expected x2 to x1024, or +STEP such as +64K");
  CHECK(problem("1:2:x2:x2") == "'1:2:x2:x2' is no range: expected FIRST:LAST:x2 or FIRST:LAST:+STEP");
  CHECK(problem("1:1G:+1") == "'1:1G:+1' gives more than 1000 sizes");
  CHECK(problem("").find("'' is not a size") == 0);
  CHECK(problem("2K,,4K").find("'' is not a size") == 0);
  CHECK(problem("1K:x2").find("'x2' is not a size") == 0);
}
