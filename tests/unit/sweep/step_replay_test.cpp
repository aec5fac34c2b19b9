#include "sweep/step_replay.hpp"

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;

namespace {

const NamedStrategy kRing("ring");

TurnOutcome ended(TurnOutcome::Kind kind, bool alive = false) {
  TurnOutcome outcome;
  outcome.kind = kind;
  outcome.message = "rank 1 is gone";
  outcome.alive = alive;
  return outcome;
}

struct Replayed {
  Document document;
  std::vector<SpecReplay> steps;
};

// A verify pass of 10 calls after a sweep of its one case; `stop_at`: the round at which Ctrl-C comes.
Replayed replay(const std::function<std::optional<TurnOutcome>(const Request&)>& fault,
                const std::string& stop_at = "never") {
  FakeClock clock;
  Script script;
  script.fault_between = fault;
  ScriptedRanks ranks(clock, script);
  const Plan plan = scripted_plan({&kRing}, {2_KiB});
  bool stop = false;
  SweepHooks hooks;
  hooks.log = [&](const std::string& line) { stop = stop || line.ends_with(stop_at); };
  hooks.stop_requested = [&] { return stop; };
  Replayed result{sweep(plan, ranks, clock, hooks), {}};
  const std::vector<StepProgram> programs = {
      {.step = "verify", .candidate = "ring", .calls = std::vector<std::size_t>(10, 0)}};
  result.steps = replay_steps(plan, programs, ranks, clock, std::chrono::seconds(10), hooks, result.document);
  return result;
}

std::optional<TurnOutcome> no_fault(const Request&) {
  return std::nullopt;
}

std::function<std::optional<TurnOutcome>(const Request&)> at_a_step(const TurnOutcome& outcome) {
  return [outcome](const Request& request) -> std::optional<TurnOutcome> {
    if (!std::holds_alternative<SampleStep>(request)) return std::nullopt;
    return outcome;
  };
}

}  // namespace

TEST_CASE("a replayed step has the time of its slowest rank") {
  const Replayed result = replay(no_fault);
  REQUIRE(result.steps.size() == 1);
  CHECK(result.steps[0].time.median_ns == 10'000);
  CHECK(result.steps[0].calls == 10);
  CHECK(exit_code(result.document) == ExitCode::ok);
}

TEST_CASE("an interruption of the replay keeps its rounds and marks the Document incomplete") {
  const Replayed result = replay(no_fault, "step verify of ring, round 2");
  REQUIRE(result.steps.size() == 1);
  CHECK_FALSE(result.document.complete);
  CHECK(result.document.method->stop_reason == "interrupted");
  CHECK(exit_code(result.document) == ExitCode::interrupted);
}

TEST_CASE("a rank that is lost in the replay is a hang, with a remedy for a lost rank") {
  const Replayed result = replay(at_a_step(ended(TurnOutcome::Kind::lost)));
  CHECK(exit_code(result.document) == ExitCode::hang);
  const Finding* finding = result.document.find("replay-lost:verify of ring");
  REQUIRE(finding != nullptr);
  CHECK(finding->remedy.find("out-of-memory killer") != std::string::npos);
}

TEST_CASE("a time-out in the replay is a hang, with a remedy for a time-out") {
  const Replayed result = replay(at_a_step(ended(TurnOutcome::Kind::timeout)));
  CHECK(exit_code(result.document) == ExitCode::hang);
  const Finding* finding = result.document.find("replay-timeout:verify of ring");
  REQUIRE(finding != nullptr);
  CHECK(finding->remedy.find("--timeout") != std::string::npos);
}

TEST_CASE("an error of a rank in the replay is a failure of the environment") {
  const Replayed result = replay(at_a_step(ended(TurnOutcome::Kind::error, true)));
  CHECK(exit_code(result.document) == ExitCode::environment);
}
