#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "sweep/sweep.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kIdle("idle");

// The scripted link takes 100 ns and 10 GB/s: 2 KiB of two ranks take some 305 ns.
Document run(double idle_ns) {
  FakeClock clock;
  Script script;
  script.call_ns = [=](const Case& params, int, int, int) {
    return params.strategy == "idle" ? idle_ns : 1000.0;
  };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.input = InputState::fresh;
  return sweep(scripted_plan({&kRing, &kIdle}, {2_KiB}, request), ranks, clock);
}

}  // namespace

TEST_CASE("a strategy that does nothing in timed calls is below the floor, an error, and no winner",
          "[planted]") {
  const Document document = run(20);
  CHECK(document.rows[1].status == Status::failed);
  CHECK_FALSE(document.rows[1].time.has_value());
  CHECK_FALSE(document.rows[1].launches.empty());  // what was measured stays as evidence
  REQUIRE(document.find(document.rows[1].findings.at(0)) != nullptr);
  CHECK_THAT(document.find(document.rows[1].findings.at(0))->message, ContainsSubstring("cannot be"));
  CHECK(document.rows[0].status == Status::pass);
  for (const GroupVerdict& verdict : document.verdicts) CHECK(verdict.winner != "idle");
  CHECK(exit_code(document) == ExitCode::environment);
}

TEST_CASE("a time at the floor is a time") {
  const Document document = run(310);
  CHECK(document.rows[1].status == Status::pass);
  CHECK(document.rows[1].time.has_value());
  CHECK(exit_code(document) == ExitCode::ok);
}
