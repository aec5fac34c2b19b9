#include "strategy/custom_table.hpp"

#include <cstdlib>
#include <fstream>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

CustomTable read(const std::string& text) {
  return read_custom_table({"test", "test.toml", text});
}

constexpr const char* kTwoSizes = R"(
measured = "today"
[[choice]]
mode = "graph"
ranks = 2
up_to = "16K"
strategy = "custom-push-ll"
[[choice]]
mode = "graph"
ranks = 2
strategy = "custom-push"
[[choice]]
mode = "graph"
ranks = 8
strategy = "custom-two-shot"
)";

// Makes $XDG_DATA_HOME a folder of the test's own.
class OwnDataFolder {
 public:
  OwnDataFolder() { ::setenv("XDG_DATA_HOME", folder_.path().c_str(), 1); }
  ~OwnDataFolder() { ::unsetenv("XDG_DATA_HOME"); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the first choice that the message does not exceed holds") {
  const CustomTable table = read(kTwoSizes);
  CHECK(choose_custom(table, Mode::graph, 2, 2_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, Mode::graph, 2, 16_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, Mode::graph, 2, {16385}) == "custom-push");
}

TEST_CASE("ranks and modes that a table does not know take the nearest that it does") {
  const CustomTable table = read(kTwoSizes);
  CHECK(choose_custom(table, Mode::eager, 2, 2_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, Mode::graph, 3, 2_KiB) == "custom-two-shot");
  CHECK(choose_custom(table, Mode::graph, 16, 2_KiB) == "custom-two-shot");
}

TEST_CASE("a table that leaves a size open, or lists sizes out of order, is refused with its place") {
  const std::string open =
      "measured = \"x\"\n[[choice]]\nmode = \"graph\"\nranks = 2\nup_to = 8\nstrategy = \"a\"\n";
  CHECK_THROWS_AS(read(open), UsageError);
  CHECK_THROWS_AS(read(open + open.substr(open.find("[["))), UsageError);
  CHECK_THROWS_AS(read("measured = \"x\"\n"), UsageError);
  CHECK_THROWS_WITH(read("measured = \"x\"\n[[choice]]\nmode = \"grap\"\nranks = 2\nstrategy = \"a\"\n"),
                    ContainsSubstring("graph"));
}

TEST_CASE("a table survives being written and read again") {
  CustomTable table = read(kTwoSizes);
  table.gpus = {"GPU-a", "GPU-b"};
  const CustomTable again = read(to_toml(table));
  CHECK(again.gpus == table.gpus);
  CHECK(to_toml(again) == to_toml(table));
}

TEST_CASE("the limit between two sizes with different winners is their geometric mean") {
  const auto choices = choices_from(Mode::graph, 2,
                                    {{4_KiB, "custom-push-ll"},
                                     {8_KiB, "custom-push-ll"},
                                     {32_KiB, "custom-push"},
                                     {1_MiB, "custom-push"}});
  REQUIRE(choices.size() == 2);
  CHECK(choices[0].strategy == "custom-push-ll");
  CHECK(choices[0].up_to == 16_KiB);
  CHECK(choices[1].strategy == "custom-push");
  CHECK(choices[1].up_to == kNoLimit);
}

TEST_CASE("a stored table is used for the GPUs it was measured with and for no others") {
  const OwnDataFolder folder;
  CHECK(custom_table_for({"GPU-a", "GPU-b"}).gpus.empty());
  CustomTable table = read(kTwoSizes);
  table.gpus = {"GPU-a", "GPU-b"};
  const std::string file = store_custom_table(table);
  CHECK(custom_table_for({"GPU-a", "GPU-b"}).measured == "today");
  CHECK(custom_table_for({"GPU-a", "GPU-c"}).gpus.empty());
  CHECK(custom_table_for({}).gpus.empty());
  std::ofstream(file) << "nonsense";
  CHECK_THROWS_WITH(custom_table_for({"GPU-a", "GPU-b"}), ContainsSubstring(file));
}

TEST_CASE("the built-in table has a choice for every number of ranks and size") {
  const CustomTable table = custom_table_for({});
  for (int ranks = 2; ranks <= 8; ++ranks) {
    for (const Bytes bytes : {Bytes{1}, 64_KiB, 1_MiB, 1024_MiB}) {
      for (const Mode mode : {Mode::eager, Mode::graph}) {
        INFO(ranks << " ranks, " << bytes.count << " bytes");
        CHECK_THAT(choose_custom(table, mode, ranks, bytes), StartsWith("custom-"));
      }
    }
  }
}
