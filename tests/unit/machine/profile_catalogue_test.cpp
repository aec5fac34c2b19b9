#include "machine/profile_catalogue.hpp"

#include <set>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

const std::string kProfile = R"(title = "a box"
ranks = 4
origin = "reported"
source = "somewhere"
[link]
name = "PCIe"
one_way_latency_ns = 900
bandwidth_gbps = 22.5
[overhead]
call_ns = 1000
step_ns = 250
[memory]
local_bandwidth_gbps = 1500
)";

ScenarioText profile(std::string text) {
  return {.name = "box", .origin = "box.toml", .text = std::move(text)};
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string problem(const std::string& text) {
  try {
    read_machine_profile(profile(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every figure of a machine profile is read") {
  const MachineProfile machine = read_machine_profile(profile(kProfile));
  CHECK(machine.name == "box");
  CHECK(machine.title == "a box");
  CHECK(machine.ranks == 4);
  CHECK(machine.origin == Origin::reported);
  CHECK(machine.source == "somewhere");
  CHECK(machine.link == "PCIe");
  CHECK(machine.one_way_latency_ns == 900);
  CHECK(machine.bandwidth_gbps == 22.5);
  CHECK(machine.call_overhead_ns == 1000);
  CHECK(machine.step_overhead_ns == 250);
  CHECK(machine.local_bandwidth_gbps == 1500);
}

TEST_CASE("what a profile doesn't have is not known, and never another figure") {
  const MachineProfile machine = read_machine_profile(profile(kProfile.substr(0, kProfile.find("[memory]"))));
  CHECK(machine.local_bandwidth_gbps == 0);
  CHECK(machine.read_gbps == 0);
  CHECK(machine.memory_gib == 0);
  CHECK_FALSE(machine.peer_access);
  CHECK(machine.gpu.empty());
}

TEST_CASE("an override replaces a figure of a profile") {
  CHECK(read_machine_profile(profile(kProfile), {"link.bandwidth_gbps=50"}).bandwidth_gbps == 50);
}

TEST_CASE(
    "a fit has its errors and what it was fitted to, without alpha and beta it is the machine's figures") {
  const MachineProfile machine = read_machine_profile(
      profile("fitted_to = \"a sweep\"\n" + kProfile +
              "[[fit]]\nstrategy = \"nccl-auto\"\nranks = 4\nalpha_ns = 5\nbeta_ns_per_byte = 0.5\nsizes = "
              "14\noff_median = 0.05\noff_worst = 0.3\n[[fit]]\nstrategy = \"custom\"\nranks = 4\nsizes = "
              "9\noff_median = 0.1\noff_worst = 0.2\nto = \"a table\"\n"));
  REQUIRE(machine.fitted.size() == 1);
  CHECK(machine.fitted[0].strategy == "nccl-auto");
  REQUIRE(machine.fit_errors.size() == 2);
  CHECK(machine.fit_errors[0].to == "a sweep");
  CHECK(machine.fit_errors[0].worst == 0.3);
  CHECK(machine.fit_errors[1].to == "a table");
  CHECK(machine.fit_errors[1].sizes == 9);
  CHECK_THAT(problem(kProfile + "[[fit]]\nstrategy = \"a\"\nranks = 4\nalpha_ns = 5\n"),
             Catch::Matchers::ContainsSubstring("'beta_ns_per_byte' is missing"));
  CHECK_THAT(problem(kProfile + "[[fit]]\nstrategy = \"a\"\nranks = 4\noff_median = 0.1\nsizes = 2\n"),
             Catch::Matchers::ContainsSubstring("'off_worst' is missing"));
}

TEST_CASE("a profile with a mistake is refused with the place") {
  CHECK(problem(with(kProfile, "bandwidth_gbps = 22.5", "bandwidth_gbps = 0")) ==
        "box.toml:8:18: 'bandwidth_gbps' must be a number from 0.001 to 1000000, not the number 0");
  CHECK(problem(with(kProfile, "reported", "mesured")) ==
        "box.toml:3:10: unknown origin 'mesured' (did you mean 'measured'?); valid: measured, modelled, "
        "reported, assumed");
  CHECK(problem(with(kProfile, "step_ns", "steps_ns")) ==
        "box.toml:11:1: 'step_ns' is missing in [overhead] (is it meant by 'steps_ns'?)");
  CHECK(problem(kProfile + "color = \"red\"\n") ==
        "box.toml:14:1: unknown key 'color' in [memory]; valid: gib, local_bandwidth_gbps, read_gbps");
}

TEST_CASE("every embedded machine can be read and says where its figures come from") {
  std::set<std::string> names;
  for (const MachineProfile& machine : list_machine_profiles()) {
    CAPTURE(machine.name);
    CHECK(machine.ranks >= 2);
    CHECK(machine.source.size() > 20);
    names.insert(machine.name);
  }
  CHECK(names.contains("h200x2-nvlink"));
  CHECK(names.contains("rtx-pro-6000-pcie-x8"));
}

TEST_CASE("the measured machine carries the measured figures") {
  const MachineProfile machine = find_machine_profile("h200x2-nvlink");
  CHECK(machine.origin == Origin::measured);
  CHECK(machine.one_way_latency_ns == 760);
  CHECK(machine.bandwidth_gbps == 376);
  CHECK(machine.call_overhead_ns == 520);
}
