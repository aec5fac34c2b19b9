#include "scenario/catalogue.hpp"

#include <filesystem>
#include <set>
#include <string>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

TEST_CASE("every embedded scenario is found by its name") {
  std::set<std::string> seen;
  for (const EmbeddedScenario& embedded : embedded_scenarios()) {
    const std::filesystem::path path(embedded.path);
    const ScenarioText found = find_scenario(path.parent_path().string(), path.stem().string());
    CHECK(found.text == embedded.text);
    CHECK(found.origin == embedded.path);
    seen.insert(std::string(embedded.path));
  }
  CHECK(seen.contains("machines/h200x2-nvlink.toml"));
  CHECK(seen.contains("sweeps/decode.toml"));
}

TEST_CASE("a name with a slash or the extension is a file") {
  const TemporaryFolder folder;
  const auto path = folder.write("mine.toml", "title = \"x\"\n");
  const ScenarioText found = find_scenario("machines", path.string());
  CHECK(found.name == "mine");
  CHECK(found.origin == path.string());
  CHECK(found.text == "title = \"x\"\n");
}

TEST_CASE("an unknown name gets the nearest") {
  try {
    find_scenario("machines", "h200x2-nvlnk");
    FAIL("found it");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what())
              .find("unknown machine 'h200x2-nvlnk' (did you mean 'h200x2-nvlink'?); machines in this "
                    "binary: b200x8-nvswitch, ") == 0);
  }
}

TEST_CASE("a file that can't be a scenario is refused") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(find_scenario("machines", folder.path() / "none.toml"),
                    Catch::Matchers::EndsWith("No such file or directory"));
  CHECK_THROWS_WITH(find_scenario("machines", folder.path()), Catch::Matchers::EndsWith("Is a directory"));
  CHECK_THROWS_WITH(find_scenario("machines", "/dev/zero"),
                    Catch::Matchers::EndsWith("it is larger than 1.00 MiB"));
}
