#include "sweep/sweep.hpp"

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kTree("tree");

TurnOutcome lost(int rank) {
  TurnOutcome outcome;
  outcome.kind = TurnOutcome::Kind::lost;
  outcome.ranks = {rank};
  outcome.message = "rank 1 was killed by signal 9 (Killed) in phase 'timing', step 7";
  outcome.alive = false;
  return outcome;
}

TurnOutcome timed_out() {
  TurnOutcome outcome;
  outcome.kind = TurnOutcome::Kind::timeout;
  outcome.message = "rank 0 does not answer";
  outcome.alive = false;
  return outcome;
}

bool is_sample_of(const Case& params, const Request& request, std::string_view strategy, Bytes bytes) {
  return params.strategy == strategy && params.bytes == bytes && std::holds_alternative<Sample>(request);
}

// The ranks are lost at the first request of this kind, which belongs to no case.
template <typename Kind>
Script lost_once_at() {
  Script script;
  script.fault_between = [left = 1](const Request& request) mutable -> std::optional<TurnOutcome> {
    if (!std::holds_alternative<Kind>(request) || left-- <= 0) return std::nullopt;
    return lost(1);
  };
  return script;
}

}  // namespace

TEST_CASE("a lost rank costs exactly its case, and the others restart in a fresh group") {
  FakeClock clock;
  Script script;
  script.fault = [](const Case& params, const Request& request, int) -> std::optional<TurnOutcome> {
    if (is_sample_of(params, request, "tree", 4_KiB)) return lost(1);
    return std::nullopt;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB, 8_KiB}), ranks, clock);
  CHECK(ranks.starts() == 4);
  for (const Row& row : document.rows) {
    const bool hit = row.params.strategy == "tree" && row.params.bytes == 4_KiB;
    CHECK(row.status == (hit ? Status::failed : Status::pass));
    if (hit) CHECK_FALSE(row.time);
  }
  const Finding* finding = document.find("rank-lost:tree 4K bf16 eager");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("rank 1 was killed by signal 9") != std::string::npos);
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("after two time-outs a strategy's remaining cases are skipped") {
  FakeClock clock;
  Script script;
  script.fault = [](const Case& params, const Request& request, int) -> std::optional<TurnOutcome> {
    if (params.strategy == "tree" && std::holds_alternative<Sample>(request)) return timed_out();
    return std::nullopt;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB, 8_KiB}), ranks, clock);
  std::vector<Status> tree;
  for (const Row& row : document.rows) {
    if (row.params.strategy == "tree") tree.push_back(row.status);
    if (row.params.strategy == "ring") CHECK(row.status == Status::pass);
  }
  CHECK(tree == std::vector{Status::timeout, Status::timeout, Status::skipped});
  CHECK(document.find("too-many-timeouts:tree") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("after two time-outs in a later launch the other cases are left as they are") {
  FakeClock clock;
  Script script;
  int trees_timed_out = 0;
  script.fault = [&](const Case& params, const Request& request, int launch) -> std::optional<TurnOutcome> {
    if (launch == 0 || params.strategy != "tree" || !std::holds_alternative<Sample>(request))
      return std::nullopt;
    ++trees_timed_out;
    return timed_out();
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB, 8_KiB}), ranks, clock);
  CHECK(trees_timed_out == 2);
  const Row& last = document.rows.back();
  REQUIRE(last.params.strategy == "tree");
  CHECK(last.status == Status::pass);
  CHECK(last.launches.size() == 1);
  CHECK(last.findings.back() == "too-many-timeouts:tree");
}

TEST_CASE("a strategy that gives wrong data gets no time") {
  FakeClock clock;
  Script script;
  script.mismatch = [](const Case& params) { return params.strategy == "tree" ? "element 3 is wrong" : ""; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}), ranks, clock);
  const Row& tree = document.rows[1];
  CHECK(tree.status == Status::failed);
  CHECK_FALSE(tree.time);
  CHECK(tree.launches.empty());
  CHECK(document.rows[0].status == Status::pass);
  CHECK(exit_code(document) == ExitCode::wrong_data);
}

TEST_CASE("an interruption keeps what was finished and marks the Document incomplete") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  SweepHooks hooks;
  bool stop = false;
  hooks.checkpoint = [&](const Document&) { stop = true; };  // after the first group
  hooks.stop_requested = [&] { return stop; };
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock, hooks);
  CHECK_FALSE(document.complete);
  CHECK(document.rows[0].status == Status::pass);
  CHECK(document.rows[1].status == Status::pass);
  CHECK(document.rows[2].status == Status::skipped);
  CHECK(document.rows[2].findings == std::vector<std::string>{"not-reached:sweep"});
  CHECK(document.method->stop_reason == "interrupted");
  CHECK(exit_code(document) == ExitCode::interrupted);
}

TEST_CASE("the budget bounds the launches, and says so") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int, int, int) { return 50e6; };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.budget = 3s;
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}, request), ranks, clock);
  CHECK(document.method->launches < 3);
  CHECK(document.method->stop_reason == "budget");
  CHECK(document.rows[0].launches[0].samples_ns.size() >= 10);  // ten rounds at least, whatever the budget
  CHECK(document.complete);
}

TEST_CASE("a budget that was asked for ends the sweep between two groups, and what is left is named") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int, int, int) { return 50e6; };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.budget = 1s;
  request.firm_budget = true;
  const Document document =
      sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB, 8_KiB}, request), ranks, clock);
  CHECK(document.rows[0].status == Status::pass);
  CHECK(document.rows.back().status == Status::skipped);
  CHECK(document.rows.back().findings == std::vector<std::string>{"not-reached:sweep"});
  CHECK(document.method->launches == 0);
  CHECK(document.method->stop_reason == "budget");
  CHECK_FALSE(document.complete);
  CHECK(exit_code(document) == ExitCode::ok);
}

TEST_CASE("a budget that was asked for ends a group whose verification alone is longer") {
  FakeClock clock;
  Script script;
  script.fault = [&](const Case&, const Request& request, int) -> std::optional<TurnOutcome> {
    if (std::holds_alternative<Verify>(request)) clock.advance(5s);
    return std::nullopt;
  };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.budget = 4s;
  request.firm_budget = true;
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}, request), ranks, clock);
  CHECK(document.method->elapsed_s == Catch::Approx(5));
  CHECK(document.method->stop_reason == "budget");
  for (const Row& row : document.rows) CHECK(row.findings == std::vector<std::string>{"not-reached:sweep"});
  CHECK(document.find("nothing-measured:sweep") != nullptr);
  CHECK(document.method->verification.empty());
  CHECK(exit_code(document) == ExitCode::environment);
}

TEST_CASE("a sweep that no strategy could run ends with an error and claims no verification") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  Plan plan = scripted_plan({&kRing, &kTree}, {2_KiB});
  for (PlannedCase& planned : plan.cases)
    planned.skipped = Finding{finding_kind("not-admitted"), Severity::note, "ring", "no link", {}, ""};
  plan.groups.clear();
  const Document document = sweep(plan, ranks, clock);
  const Finding* nothing = document.find("nothing-measured:sweep");
  REQUIRE(nothing != nullptr);
  CHECK(nothing->evidence == std::vector<std::string>{"ring: no link"});
  CHECK(document.method->verification.empty());
  CHECK(exit_code(document) == ExitCode::environment);
}

TEST_CASE("a sweep whose strategies all give wrong data ends with that, not with an unusable machine") {
  FakeClock clock;
  Script script;
  script.mismatch = [](const Case&) { return std::string("element 3 is wrong"); };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}), ranks, clock);
  CHECK(document.find("nothing-measured:sweep") == nullptr);
  CHECK(document.method->verification.empty());
  CHECK(exit_code(document) == ExitCode::wrong_data);
}

TEST_CASE("a sweep that is interrupted before its first row is interrupted, whatever it did not measure") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  SweepHooks hooks;
  hooks.stop_requested = [] { return true; };
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock, hooks);
  CHECK(document.find("nothing-measured:sweep") == nullptr);
  CHECK(exit_code(document) == ExitCode::interrupted);
}

TEST_CASE("a default budget lets the first launch end, however long it takes") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int, int, int) { return 50e6; };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.budget = 1s;
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}, request), ranks, clock);
  for (const Row& row : document.rows) CHECK(row.status == Status::pass);
  CHECK(document.method->launches == 1);
}

TEST_CASE("ranks that fail before a group's first case cost no case: they are started afresh") {
  FakeClock clock;
  ScriptedRanks ranks(clock, lost_once_at<BeginGroup>());
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  for (const Row& row : document.rows) CHECK(row.status == Status::pass);
  CHECK(ranks.starts() == 4);
  CHECK(document.find("ranks-restarted:sweep") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("ranks that never come to a group's first case fail all its cases") {
  FakeClock clock;
  Script script;
  script.fault_between = [](const Request& request) -> std::optional<TurnOutcome> {
    const auto* begin = std::get_if<BeginGroup>(&request);
    if (begin == nullptr || begin->message != 4_KiB) return std::nullopt;
    return lost(1);
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  for (const Row& row : document.rows)
    CHECK(row.status == (row.params.bytes == 4_KiB ? Status::failed : Status::pass));
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("a rank that is lost while it starts ends neither the sweep nor the other launches") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int launch) { return launch == 1 ? lost(1) : TurnOutcome{}; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  CHECK(document.complete);
  for (const Row& row : document.rows) {
    CHECK(row.status == Status::pass);
    CHECK(row.launches.size() == 3);
  }
  REQUIRE(document.find("ranks-restarted:sweep") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("ranks that no longer start cost no time that earlier launches have measured") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int start) { return start >= 2 ? lost(1) : TurnOutcome{}; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  for (const Row& row : document.rows) {
    CHECK(row.status == Status::pass);
    CHECK(row.launches.size() == 2);
    CHECK(row.time);
  }
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("ranks that never start fail their cases one after the other, and the Document is there") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int) { return lost(1); };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  CHECK(document.complete);
  for (const Row& row : document.rows) CHECK(row.status == Status::failed);
  CHECK(document.find("rank-lost:ring 2K bf16 eager") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
  CHECK(ranks.starts() < 10);
}

TEST_CASE("the time-out bounds a start, and ranks that hang there are not waited for at every case") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int) { return timed_out(); };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.turn_timeout = 10s;
  const Document document =
      sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB, 8_KiB, 16_KiB, 32_KiB}, request), ranks, clock);
  CHECK(document.rows.front().status == Status::timeout);
  CHECK(document.find("too-many-timeouts:ring") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
  CHECK(clock.now().time_since_epoch() <= 50s);
}

TEST_CASE("an interruption while ranks start again and again ends that") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int) { return lost(1); };
  ScriptedRanks ranks(clock, script);
  SweepHooks hooks;
  hooks.stop_requested = [&] { return ranks.starts() > 0; };
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock, hooks);
  CHECK(ranks.starts() <= 2);
  CHECK(document.rows.front().findings == std::vector<std::string>{"not-reached:sweep"});
  CHECK(exit_code(document) == ExitCode::interrupted);
}

TEST_CASE("ranks that had died by the end of a launch are told of, and cost none of its times") {
  FakeClock clock;
  Script script;
  script.fault_at_end = [](int launch) { return launch == 2 ? lost(1) : TurnOutcome{}; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}), ranks, clock);
  for (const Row& row : document.rows) CHECK(row.status == Status::pass);
  REQUIRE(document.find("ranks-restarted:sweep") != nullptr);
  CHECK(exit_code(document) == ExitCode::hang);
}

TEST_CASE("ranks that fail when a group has been measured cost none of its times") {
  FakeClock clock;
  ScriptedRanks ranks(clock, lost_once_at<EndGroup>());
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  for (const Row& row : document.rows) {
    CHECK(row.status == Status::pass);
    CHECK(row.launches.size() == 3);
  }
  CHECK(document.find("ranks-restarted:sweep") != nullptr);
}
