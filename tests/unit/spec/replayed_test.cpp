#include "spec/replayed.hpp"

#include "spec_scenarios.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SpecReplay step(const std::string& name, double median_ns, std::optional<double> exposed_ns = std::nullopt) {
  SpecReplay replay;
  replay.step = name;
  replay.candidate = "ring";
  replay.calls = name == "draft" ? 2 : 20;
  replay.time.median_ns = median_ns;
  replay.exposed_ns = exposed_ns;
  return replay;
}

struct Used {
  Communication ring;
  Document document;
};

// 20 calls of 1 us by themselves.
Used use(std::vector<SpecReplay> replays) {
  Used used;
  used.document.spec.emplace().replays = std::move(replays);
  std::vector<Communication> candidates = {constant_calls(1000, "ring")};
  use_replays(small_scenario(), candidates, used.document);
  used.ring = candidates.front();
  return used;
}

}  // namespace

TEST_CASE("answers take the times of replayed steps, and a Finding names the difference") {
  const SpecScenario scenario = small_scenario();
  const Used used = use({step("verify", 60'000), step("plain", 40'000), step("draft", 5000)});
  CHECK(forward_ns(scenario, used.ring, 4) == Catch::Approx(60'000));
  CHECK(forward_ns(scenario, used.ring, 1) == Catch::Approx(40'000));
  CHECK(draft_step_ns(scenario, used.ring) == Catch::Approx(5000));
  CHECK(used.ring.stretch(4) == Catch::Approx(3));
  CHECK(used.ring.stretch(1) == Catch::Approx(2));
  const Finding* finding = used.document.find("replay-differs:small");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.starts_with("replayed verify passes took 3.00 times as long"));
  CHECK(finding->evidence.front().ends_with("(3.00x)"));
}

TEST_CASE("passes over numbers of tokens that nobody replayed go like the verify pass") {
  const Used used = use({step("verify", 60'000), step("plain", 20'000)});
  CHECK(forward_ns(small_scenario(), used.ring, 8) == Catch::Approx(60'000));
}

TEST_CASE("of a step with compute, what its calls add to it counts") {
  const Used used = use({step("verify", 20'000), step("verify", 900'000, 30'000)});
  CHECK(forward_ns(small_scenario(), used.ring, 4) == Catch::Approx(30'000));
}

TEST_CASE("steps that take what their calls take are no Finding") {
  CHECK(use({step("verify", 21'000)}).document.findings.empty());
  CHECK(use({}).ring.replayed.empty());
}
