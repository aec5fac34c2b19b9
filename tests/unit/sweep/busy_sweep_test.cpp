// Sweeps on a machine that is busy.
#include <algorithm>

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "sweep/sweep.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kTree("tree");

TurnConditions conditions(bool stolen) {
  return {8e6, stolen ? 5e6 : 8e6, stolen ? 3e6 : 0.0, 9000.0};
}

bool is_busy(int sample) {
  return sample % 4 != 0;
}

// Ring is the faster one by a fifth, but only while something else has the cores: left alone they are equal.
// Samples count from the calibration on, two turns a round.
Script fooled(bool says_so) {
  Script script;
  script.call_ns = [](const Case& params, int, int, int sample) {
    const double slow = params.strategy == "ring" ? 1000.0 : 1200.0;
    return is_busy(sample) ? slow : 1000.0;
  };
  script.conditions = [says_so](const Case&, int, int, int sample) {
    return says_so ? std::optional(conditions(is_busy(sample))) : std::nullopt;
  };
  return script;
}

SweepRequest short_request() {
  SweepRequest request;
  request.budget = 60s;
  request.min_rounds = request.max_rounds = 48;
  return request;
}

Document measure(const Script& script, const SweepRequest& request, const SweepHooks& hooks = {}) {
  FakeClock clock;
  ScriptedRanks ranks(clock, script);
  return sweep(scripted_plan({&kRing, &kTree}, {2_KiB}, request), ranks, clock, hooks);
}

}  // namespace

TEST_CASE("rounds in which ranks lost their cores name no winner") {
  // What the test is about: with nothing said of the cores, the same times do.
  CHECK(measure(fooled(false), short_request()).verdicts.front().winner == "ring");
  const Document document = measure(fooled(true), short_request());
  CHECK_FALSE(document.verdicts.front().winner);
  CHECK(document.verdicts.front().tied.size() == 2);
  const LaunchSamples& launch = document.rows.front().launches.front();
  CHECK(launch.disturbed_rounds.size() == 36);
  CHECK(*launch.core_wait == Catch::Approx(3.0 / 8));
  CHECK(launch.samples_ns.size() == 48u * static_cast<std::size_t>(launch.samples_per_round));
  CHECK(document.rows[1].time->median_ns == 1000);  // of the rounds that stand for it
}

TEST_CASE("a group with too few undisturbed rounds is undecided, and it is said why") {
  Script script = fooled(true);
  script.conditions = [](const Case&, int, int, int sample) { return conditions(sample % 12 != 0); };
  const Document document = measure(script, short_request());
  const GroupVerdict& verdict = document.verdicts.front();
  CHECK_FALSE(verdict.winner);
  CHECK(verdict.tied.empty());
  CHECK(
      verdict.reason ==
      "a winner needs 6 undisturbed rounds in each of 3 launches; in 132 of 144 rounds ranks had to wait for "
      "their cores, or clocks moved");
  REQUIRE(document.find("undecided:2K bf16 eager") != nullptr);
  CHECK(document.rows[1].time->median_ns > 1000);  // all samples stand for it
}

TEST_CASE("a disturbed sweep says what was seen") {
  const Document document = measure(fooled(true), short_request());
  const Finding* busy = document.find("machine-busy:sweep");
  REQUIRE(busy != nullptr);
  CHECK(busy->message == "ranks had to wait for their cores in 108 of 144 rounds, up to 38 % of a turn");
  CHECK(std::ranges::count(busy->evidence, "2K bf16 eager: 108 of 144 rounds") == 1);
  CHECK(measure(fooled(false), short_request()).find("machine-busy:sweep") == nullptr);
}

TEST_CASE("launches that were left alone decide where there are three of them") {
  SweepRequest request = short_request();
  request.launches = 4;
  Script script = fooled(true);
  script.call_ns = [](const Case& params, int, int launch, int) {
    return (params.strategy == "ring") == (launch != 1) ? 1000.0 : 1200.0;
  };
  script.conditions = [](const Case&, int, int launch, int) { return conditions(launch == 1); };
  const Document document = measure(script, request);
  CHECK(document.verdicts.front().winner == "ring");
}

TEST_CASE("more ranks than cores are said") {
  SweepHooks hooks;
  hooks.choose_cores = [] { return RankCores{{}, 1}; };
  const Document document = measure({}, short_request(), hooks);
  const Finding* shared = document.find("cores-shared:sweep");
  REQUIRE(shared != nullptr);
  CHECK(shared->message.starts_with("2 ranks share 1 core"));
  hooks.choose_cores = [] { return RankCores{{0, 1}, 2}; };
  CHECK(measure({}, short_request(), hooks).find("cores-shared:sweep") == nullptr);
}

TEST_CASE("cores are chosen before each launch") {
  int choices = 0;
  SweepHooks hooks;
  hooks.choose_cores = [&] {
    ++choices;
    return RankCores{{0, 1}, 2};
  };
  measure({}, short_request(), hooks);
  CHECK(choices == 3);
}
