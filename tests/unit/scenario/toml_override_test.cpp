#include "scenario/toml_override.hpp"

#include "base/errors.hpp"
#include "scenario/toml_reader.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

const ScenarioText kMachine{.name = "m",
                            .origin = "m.toml",
                            .text =
                                "ranks = 2\n[link]\nname = \"NVLink\"\nbandwidth_gbps = 376\n"
                                "[[steps]]\nname = \"init\"\n[[steps]]\nname = \"load\"\n"};

struct Machine {
  double bandwidth = 0;
  std::string link;
  std::vector<std::string> steps;
};

Machine read(const std::vector<std::string>& overrides) {
  const TomlDocument document(kMachine, overrides);
  Machine machine;
  document.root().get<int>("ranks", {2, 16});
  const TomlTable link = document.root().table("link");
  machine.link = link.get<std::string>("name");
  machine.bandwidth = link.get<double>("bandwidth_gbps");
  for (const TomlTable& step : document.root().tables("steps"))
    machine.steps.push_back(step.get<std::string>("name"));
  document.finish();
  return machine;
}

std::string problem(const std::string& assignment) {
  try {
    read({assignment});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a value is replaced by its path") {
  const Machine machine = read({"link.bandwidth_gbps=50", "steps.1.name = \"start\""});
  CHECK(machine.bandwidth == 50);
  CHECK(machine.steps == std::vector<std::string>{"init", "start"});
}

TEST_CASE("what is no TOML value is a string") {
  CHECK(read({"link.name=PCIe 5.0 x16"}).link == "PCIe 5.0 x16");
  CHECK(read({"link.name=a\"b\\c"}).link == "a\"b\\c");
}

TEST_CASE("the last of several wins") {
  CHECK(read({"link.bandwidth_gbps=50", "link.bandwidth_gbps=60"}).bandwidth == 60);
}

TEST_CASE("a wrong value is blamed on the flag") {
  CHECK(problem("ranks=1") == "--set ranks=1: 'ranks' must be a whole number from 2 to 16, not the number 1");
  CHECK(problem("link=1") == "--set link=1: [link] must be a table, not the number 1");
}

TEST_CASE("a path that nothing reads names the nearest key and where it is") {
  CHECK(problem("link.bandwith_gbps=50") ==
        "--set link.bandwith_gbps=50: unknown key 'bandwith_gbps' in [link] (did you mean 'bandwidth_gbps', "
        "m.toml:4:1?); valid: bandwidth_gbps, name");
  CHECK(problem("steps.2.name=x") == "--set steps.2.name=x: '2' is no element of an array of 2");
}

TEST_CASE("what is no assignment is refused") {
  CHECK(problem("ranks") == "--set ranks: without a value; expected KEY=VALUE");
  CHECK(problem("=2").find("--set =2") == 0);
  CHECK(problem("a b=2").find("--set a b=2") == 0);
}
