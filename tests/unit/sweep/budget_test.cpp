// The budget of a sweep: that it is kept, that it is used, and what is said of what it left out.
#include <algorithm>

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "sweep/sweep.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kTree("tree");

SweepRequest firm(std::chrono::nanoseconds budget) {
  SweepRequest request;
  request.budget = budget;
  request.firm_budget = true;
  request.turn_timeout = 300s;
  return request;
}

struct Run {
  Document document;
  std::chrono::duration<double> took{};
};

// `verify_s`: what verification of a group's first case takes in full, for 1 MiB; of the other one a quarter.
Run run(const SweepRequest& request, const std::vector<Bytes>& sizes, Script script, double verify_s) {
  FakeClock clock;
  script.fault = [&](const Case& params, const Request& asked, int) -> std::optional<TurnOutcome> {
    if (const auto* verify = std::get_if<Verify>(&asked)) {
      double share = !verify->plan.brief ? 1 : verify->plan.calls_exact > 1 ? 0.4 : 0.2;
      if (params.strategy != "ring") share /= 4;
      clock.advance(std::chrono::nanoseconds(static_cast<std::int64_t>(
          verify_s * 1e9 * share * static_cast<double>(params.bytes.count) / (1 << 20))));
    }
    return std::nullopt;
  };
  ScriptedRanks ranks(clock, script);
  const TimePoint begun = clock.now();
  Run run;
  run.document = sweep(scripted_plan({&kRing, &kTree}, sizes, request), ranks, clock);
  run.took = clock.now() - begun;
  return run;
}

// Calls whose times scatter too much for any interval to be narrow.
Script restless(double call_ns) {
  Script script;
  script.call_ns = [call_ns](const Case&, int, int, int sample) {
    return call_ns * (sample % 2 == 0 ? 1 : 1.5);
  };
  return script;
}

}  // namespace

TEST_CASE("a budget is kept, whatever calls and verification take") {
  for (const double call_ns : {1e3, 1e6, 50e6, 300e6}) {
    for (const double verify_s : {0.001, 0.1, 2.0}) {
      for (const auto budget : {1s, 3s, 10s, 50s, 120s}) {
        const Run result = run(firm(budget), {2_KiB, 64_KiB, 1_MiB, 4_MiB}, restless(call_ns), verify_s);
        CAPTURE(call_ns, verify_s, budget.count(), result.took.count());
        const double seconds = static_cast<double>(budget.count());
        CHECK(result.took.count() <= seconds + std::max(0.1 * seconds, 3.0));
      }
    }
  }
}

TEST_CASE("a budget is used while anything is undecided") {
  for (const double verify_s : {0.001, 1.0}) {
    for (const auto budget : {10s, 50s}) {
      const Run result = run(firm(budget), {2_KiB, 64_KiB, 1_MiB, 4_MiB}, restless(1e6), verify_s);
      CAPTURE(verify_s, budget.count(), result.took.count());
      CHECK(result.document.method->stop_reason == "budget");
      CHECK(result.took.count() >= 0.85 * static_cast<double>(budget.count()));
    }
  }
}

TEST_CASE("a first launch of more than half of the budget leaves the rest to what can be decided") {
  // 27 of 50 s once, and then the end.
  const Run result = run(firm(50s), {2_KiB, 64_KiB, 1_MiB, 4_MiB}, restless(10e6), 2.5);
  CHECK(result.took.count() >= 40);
  const Row& small = result.document.rows.front();
  REQUIRE(small.launches.size() == 3);
  CHECK(result.document.verdicts.front().reason.empty());
}

TEST_CASE("what a budget has no time for is named") {
  const Run result = run(firm(3s), {2_KiB, 64_KiB, 64_MiB}, restless(1e6), 1);
  const Document& document = result.document;
  CHECK(document.rows.front().status == Status::pass);
  CHECK(document.rows.back().status == Status::skipped);
  const Finding* left_out = document.find("not-reached:sweep");
  REQUIRE(left_out != nullptr);
  CHECK(left_out->message == "not measured: the time budget of 3 s ended before these cases had their turn");
  CHECK(left_out->evidence == std::vector<std::string>{"64M bf16 eager"});
  CHECK_FALSE(document.complete);
  CHECK(exit_code(document) == ExitCode::ok);
}

TEST_CASE("verification is cut to the time there is, and that is said") {
  const Run result = run(firm(4s), {64_KiB, 1_MiB}, restless(1e6), 4);
  CHECK(result.document.rows.back().status == Status::pass);
  CHECK(result.document.method->verification.find("for want of time") != std::string::npos);
  const Run roomy = run(firm(60s), {64_KiB, 1_MiB}, restless(1e6), 1);
  CHECK(roomy.document.rows.back().status == Status::pass);
  CHECK(roomy.document.method->verification.find("for want of time") == std::string::npos);
}

TEST_CASE("a budget that is too small for one verified round says which one would do, and that one does") {
  const Run result = run(firm(1s), {4_MiB}, restless(1e6), 10);
  CHECK(exit_code(result.document) == ExitCode::environment);
  CHECK(result.took.count() <= 4);
  const Finding* nothing = result.document.find("nothing-measured:sweep");
  REQUIRE(nothing != nullptr);
  CHECK(nothing->message ==
        "nothing was measured: a budget of 1 s is too short here for one verified round of any case");
  const std::size_t at = nothing->remedy.find("--budget ");
  REQUIRE(at != std::string::npos);
  const int would_do = std::stoi(nothing->remedy.substr(at + 9));
  CHECK(would_do > 1);
}

TEST_CASE(
    "a request to the ranks that does not end is ended with the budget, and is no failure of its case") {
  FakeClock clock;
  Script script;
  script.fault = [](const Case&, const Request& asked, int) -> std::optional<TurnOutcome> {
    if (!std::holds_alternative<Verify>(asked)) return std::nullopt;
    TurnOutcome outcome;
    outcome.kind = TurnOutcome::Kind::timeout;  // the clock advances by what the request was given
    outcome.alive = false;
    return outcome;
  };
  ScriptedRanks ranks(clock, script);
  SweepRequest request = firm(5s);
  request.turn_timeout = 30s;
  const TimePoint begun = clock.now();
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}, request), ranks, clock);
  CHECK(clock.now() - begun <= 8s);
  CHECK(document.find("timeout:ring 2K bf16 eager") == nullptr);
  CHECK(exit_code(document) == ExitCode::environment);
}

TEST_CASE("rounds that were cut off by the end of the time leave whole ones") {
  FakeClock clock;
  Script script = restless(20e6);
  int samples = 0;
  script.fault = [&](const Case&, const Request& asked, int) -> std::optional<TurnOutcome> {
    if (!std::holds_alternative<Sample>(asked) || ++samples != 20) return std::nullopt;
    TurnOutcome outcome;
    outcome.kind = TurnOutcome::Kind::timeout;
    outcome.alive = false;
    return outcome;
  };
  ScriptedRanks ranks(clock, script);
  SweepRequest request = firm(20s);
  request.turn_timeout = 300s;
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}, request), ranks, clock);
  for (const Row& row : document.rows) {
    CHECK(row.status == Status::pass);
    REQUIRE(row.launches.size() == 1);
    CHECK(row.launches[0].samples_ns.size() == document.rows[0].launches[0].samples_ns.size());
  }
  CHECK(document.find("rank-lost") == nullptr);
  CHECK(exit_code(document) == ExitCode::ok);
}
