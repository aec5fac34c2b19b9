#include "sweep/checked_calls.hpp"
#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "sweep/sweep.hpp"
#include "sweep/sweep_rows.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kLibrary("library", "auto");

Document run(const Script& script, const Strategy& strategy, SweepRequest request = {}) {
  FakeClock clock;
  ScriptedRanks ranks(clock, script);
  return sweep(scripted_plan({&strategy}, {2_KiB}, std::move(request)), ranks, clock);
}

template <typename Kind>
Script wrong_in(std::function<bool(const Kind&)> when = [](const Kind&) { return true; }) {
  Script script;
  script.wrong = [when](const Case&, const Request& request) -> std::optional<std::string> {
    const auto* const asked = std::get_if<Kind>(&request);
    if (asked == nullptr || !when(*asked)) return std::nullopt;
    return "call 256 in a row, rank 1: the output is wrong";
  };
  return script;
}

}  // namespace

TEST_CASE("a row says how many calls in a row and how many timed repetitions were checked") {
  const Document document = run({}, kRing);
  const Verification& verification = document.rows.front().verification.value();
  CHECK(verification.calls_in_a_row >= 1098);
  CHECK(verification.timed_repetitions >= document.rows.front().time->samples);
}

TEST_CASE("more calls in a row are checked where they were asked for, and fewer where they take too long") {
  SweepRequest request;
  request.verify_calls = 70000;
  CHECK(run({}, kRing, request).rows.front().verification->calls_in_a_row >= 70000);
  Script slow;
  slow.call_ns = [](const Case&, int, int, int) { return 5e7; };
  SweepRequest patient;
  patient.turn_timeout = 60s;
  const std::uint64_t checked = run(slow, kRing, patient).rows.front().verification->calls_in_a_row;
  CHECK(checked >= 40);
  CHECK(checked < 1098);
}

TEST_CASE("many slow calls are asked for piece by piece, so that no request looks like a hang") {
  Script slow;
  slow.call_ns = [](const Case&, int, int, int) { return 5e7; };
  double longest = 0;
  slow.wrong = [&](const Case&, const Request& request) -> std::optional<std::string> {
    if (const auto* check = std::get_if<CheckCalls>(&request))
      longest = std::max(longest, 5e7 * static_cast<double>(check->plan.calls));
    return std::nullopt;
  };
  SweepRequest request;
  request.verify_calls = 1000;  // 50 s
  CHECK(run(slow, kRing, request).rows.front().verification->calls_in_a_row >= 1000);
  CHECK(longest <= 2.5e9);
}

TEST_CASE("a fault in a row of calls, or behind a timed repetition, is wrong data") {
  for (const Script& script : {wrong_in<CheckCalls>(), wrong_in<Sample>()}) {
    const Document document = run(script, kRing);
    CHECK(document.rows.front().status == Status::failed);
    CHECK_FALSE(document.rows.front().time.has_value());
    CHECK_THAT(document.findings.front().message, ContainsSubstring("call 256 in a row, rank 1"));
    CHECK(exit_code(document) == ExitCode::wrong_data);
  }
}

TEST_CASE("a library that is wrong only behind a programmatic producer keeps its row, which says so") {
  const auto behind_producer =
      wrong_in<CheckCalls>([](const CheckCalls& check) { return !check.plan.plain_producer; });
  const Document document = run(behind_producer, kLibrary);
  const Row& row = document.rows.front();
  CHECK(row.status == Status::pass);
  CHECK(row.time.has_value());
  REQUIRE(document.find(row.findings.at(0)) != nullptr);
  CHECK(document.find(row.findings.at(0))->kind == finding_kind("unsafe-after-producer").id);
  CHECK(exit_code(document) == ExitCode::ok);
  // Our own strategies promise to wait.
  CHECK(exit_code(run(behind_producer, kRing)) == ExitCode::wrong_data);
  // Wrong behind a copy, too.
  CHECK(exit_code(run(wrong_in<CheckCalls>(), kLibrary)) == ExitCode::wrong_data);
}

TEST_CASE("a library that is wrong once, and right behind the same producer later, gave wrong data") {
  int left = 2;  // one answer of each rank
  const Document document = run(
      wrong_in<CheckCalls>([&](const CheckCalls& check) { return !check.plan.plain_producer && left-- > 0; }),
      kLibrary);
  CHECK(document.rows.front().status == Status::failed);
  CHECK(exit_code(document) == ExitCode::wrong_data);
}

TEST_CASE("what shows only behind 65,536 calls is looked for in graphs of small messages on GPUs alone") {
  SweepRequest request;
  request.budget = 60s;
  const auto long_run = [&](DeviceKind device, Mode mode, Bytes bytes) {
    AttemptSettings settings;
    Case params;
    params.device = device;
    params.mode = mode;
    params.bytes = bytes;
    plan_checks(request, 10, params, settings);
    return settings.long_run;
  };
  CHECK(long_run(DeviceKind::cuda, Mode::graph, 64_KiB) == 65536);
  CHECK(long_run(DeviceKind::cuda, Mode::graph, 128_KiB) == 0);
  CHECK(long_run(DeviceKind::cuda, Mode::eager, 64_KiB) == 0);
  CHECK(long_run(DeviceKind::host, Mode::eager, 64_KiB) == 0);
}

TEST_CASE("a launch in which other work had the cores leaves what other launches measured") {
  const Plan plan = scripted_plan({&kRing}, {2_KiB});
  Document document;
  SweepRows rows(plan, document);
  AttemptResult result;
  result.results.resize(1);
  result.results[0].samples.samples_ns = std::vector<double>(20, 1000.0);
  result.results[0].samples.samples_per_round = 1;
  rows.add(result);
  AttemptResult busy = result;
  busy.results[0].samples.launch = 1;
  busy.results[0].samples.disturbed_rounds = {0};
  busy.results[0].no_time = "other work had the cores";
  rows.add(busy);
  CHECK(document.rows[0].status == Status::pass);
  CHECK(document.rows[0].launches.size() == 1);
  CHECK(rows.open(0));
  Document never;
  SweepRows alone(plan, never);
  alone.add(busy);
  CHECK(never.rows[0].status == Status::skipped);
  CHECK(never.rows[0].launches.empty());
  CHECK(alone.open(0));
  CHECK_FALSE(alone.finish(false, 1s));  // not complete
}

TEST_CASE("what touching fresh data takes is taken off, and said") {
  SweepRequest request;
  request.input = InputState::fresh;
  const Document document = run({}, kRing, request);
  const Row& row = document.rows.front();
  CHECK(row.input == InputState::fresh);
  CHECK(row.time->median_ns == Catch::Approx(1000));
  CHECK(row.launches.front().touch_ns.value() == Catch::Approx(100));
}

TEST_CASE("a time that is no longer than the touching cannot be") {
  SweepRequest request;
  request.input = InputState::fresh;
  Script script;
  script.call_ns = [](const Case&, int, int, int) { return 0.0; };
  const Document document = run(script, kRing, request);
  CHECK(document.rows.front().status == Status::failed);
  CHECK_THAT(document.findings.front().message, ContainsSubstring("has no time"));
  CHECK(exit_code(document) == ExitCode::environment);
}
