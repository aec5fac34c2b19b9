#include "strategy/custom_table.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/digest.hpp"
#include "base/errors.hpp"
#include "scenario/catalogue.hpp"
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
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 2_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 16_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, {16385}) == "custom-push");
}

TEST_CASE("ranks and modes that a table does not know take the nearest that it does") {
  const CustomTable table = read(kTwoSizes);
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::eager, 2, 2_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 3, 2_KiB) == "custom-two-shot");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 16, 2_KiB) == "custom-two-shot");
}

TEST_CASE("choices of a link hold on that link alone, those without one on every link") {
  const std::string last = "[[choice]]\nmode = \"graph\"\nranks = 2\nstrategy = ";
  const CustomTable table = read("measured = \"x\"\n" + last + "\"custom-push\"\nlink = \"nvlink\"\n" + last +
                                 "\"custom-two-shot\"\nlink = \"pcie\"\n");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 2_KiB) == "custom-push");
  CHECK(choose_custom(table, PeerAccess::pcie, Mode::graph, 2, 2_KiB) == "custom-two-shot");
  CHECK(to_toml(read(to_toml(table))) == to_toml(table));
  for (const PeerAccess link : {PeerAccess::nvlink, PeerAccess::pcie})
    CHECK(choose_custom(read(kTwoSizes), link, Mode::graph, 8, 2_KiB) == "custom-two-shot");
}

TEST_CASE("every link, mode and number of ranks needs an end of its own") {
  CHECK_THROWS_AS(
      read("measured = \"x\"\n[[choice]]\nlink = \"nvlink\"\nmode = \"graph\"\nranks = 2\n"
           "strategy = \"custom-push\"\n[[choice]]\nlink = \"pcie\"\nmode = \"graph\"\nranks = 2\n"
           "up_to = \"16K\"\nstrategy = \"custom-push\"\n"),
      UsageError);
}

TEST_CASE("a table that leaves a size open, or lists sizes out of order, is refused with its place") {
  const std::string open =
      "measured = \"x\"\n[[choice]]\nmode = \"graph\"\nranks = 2\nup_to = 8\nstrategy = "
      "\"custom-push\"\n";
  CHECK_THROWS_AS(read(open), UsageError);
  CHECK_THROWS_AS(read(open + open.substr(open.find("[["))), UsageError);
  CHECK_THROWS_AS(read("measured = \"x\"\n"), UsageError);
  CHECK_THROWS_WITH(
      read("measured = \"x\"\n[[choice]]\nmode = \"grap\"\nranks = 2\nstrategy = \"custom-push\"\n"),
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

TEST_CASE("a strategy that custom may not use is refused with its place and the names that it may") {
  CHECK_THROWS_WITH(
      read("measured = \"x\"\n[[choice]]\nmode = \"graph\"\nranks = 2\nstrategy = \"nccl-ring\"\n"),
      StartsWith("test.toml:5:") && ContainsSubstring("'nccl-ring'") && ContainsSubstring("custom-push-ll"));
}

TEST_CASE("a stored table is used for the GPUs it was measured with and for no others") {
  const OwnDataFolder folder;
  CHECK(custom_table_for({"GPU-a", "GPU-b"}).table.gpus.empty());
  CustomTable table = read(kTwoSizes);
  table.gpus = {"GPU-a", "GPU-b"};
  const std::string file = store_custom_table(table);
  const FoundCustomTable found = custom_table_for({"GPU-a", "GPU-b"});
  CHECK(found.table.measured == "today");
  CHECK(found.table.origin == file);
  CHECK(found.table.digest == text_digest(to_toml(table)));
  CHECK_FALSE(found.problem.has_value());
  for (const std::vector<std::string>& others : {std::vector<std::string>{"GPU-a", "GPU-c"}, {}}) {
    const FoundCustomTable built_in = custom_table_for(others);
    CHECK(built_in.table.gpus.empty());
    CHECK(built_in.table.origin == "built-in table");
    CHECK(built_in.table.digest == text_digest(find_scenario("custom", "built-in").text));
    CHECK_FALSE(built_in.problem.has_value());
  }
}

TEST_CASE("a table that can't be stored is known before it is measured") {
  const OwnDataFolder folder;
  check_custom_table_place({"GPU-a", "GPU-b"});
  const std::filesystem::path data = std::getenv("XDG_DATA_HOME");
  std::filesystem::remove_all(data);
  std::ofstream(data) << "no folder";
  CHECK_THROWS_AS(check_custom_table_place({"GPU-a", "GPU-b"}), EnvironmentError);
  CustomTable table = read(kTwoSizes);
  table.gpus = {"GPU-a", "GPU-b"};
  CHECK_THROWS_AS(store_custom_table(table), EnvironmentError);
  std::filesystem::remove(data);
}

TEST_CASE("a stored table that can't be used gives way to the built-in one, with a finding that says why") {
  const OwnDataFolder folder;
  CustomTable table = read(kTwoSizes);
  table.gpus = {"GPU-a", "GPU-b"};
  const std::string file = store_custom_table(table);
  const auto expect = [&](const std::string& why) {
    const FoundCustomTable found = custom_table_for({"GPU-a", "GPU-b"});
    CHECK(found.table.origin == "built-in table");
    CHECK_FALSE(found.table.choices.empty());
    REQUIRE(found.problem.has_value());
    CHECK(found.problem->kind == "custom-table-unreadable");
    CHECK(found.problem->severity == Severity::warning);
    CHECK(found.problem->subject == file);
    CHECK_THAT(found.problem->message, ContainsSubstring(file) && ContainsSubstring(why));
  };
  std::ofstream(file) << "nonsense";
  expect(":1:");
  std::ofstream(file) << "";
  expect("measured");
  std::string foreign = to_toml(table);
  foreign.replace(foreign.find("custom-push-ll"), 14, "nccl-ring");
  std::ofstream(file) << foreign;
  expect("'nccl-ring'");
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  expect("regular file");
  std::filesystem::remove(file);
  std::filesystem::create_symlink(file, file);
  expect("symbolic links");
}

TEST_CASE("the built-in table sends large messages in two shots, over PCIe earlier than over NVLink") {
  const CustomTable& table = built_in_custom_table();
  const auto choice = [&](PeerAccess link, Bytes bytes) {
    return choose_custom(table, link, Mode::graph, 8, bytes);
  };
  CHECK(choice(PeerAccess::nvlink, 64_KiB) == "custom-push");
  CHECK(choice(PeerAccess::pcie, 64_KiB) == "custom-two-shot");
  CHECK(choice(PeerAccess::pcie, 2_KiB) == "custom-push");
  CHECK(choice(PeerAccess::nvlink, 1_MiB) == "custom-two-shot");
}

TEST_CASE("the built-in table has a choice for every number of ranks and size") {
  const CustomTable table = custom_table_for({}).table;
  for (int ranks = 2; ranks <= 8; ++ranks) {
    for (const Bytes bytes : {Bytes{1}, 64_KiB, 1_MiB, 1024_MiB}) {
      for (const Mode mode : {Mode::eager, Mode::graph}) {
        for (const PeerAccess link : {PeerAccess::nvlink, PeerAccess::pcie}) {
          INFO(ranks << " ranks, " << bytes.count << " bytes, " << to_string(link));
          CHECK_THAT(choose_custom(table, link, mode, ranks, bytes), StartsWith("custom-"));
        }
      }
    }
  }
}
