#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "sweep/fit_memory.hpp"
#include "sweep/sweep.hpp"

using namespace ringside;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kTree("tree");
const NamedStrategy kSet("set", std::nullopt, {{"SETTING", "0"}});

SweepRequest one_launch() {
  SweepRequest request;
  request.launches = 1;
  return request;
}

// ring 1000 ns, set 900, tree 1200.
Script clear_differences() {
  Script script;
  script.call_ns = [](const Case& params, int, int, int sample) {
    const double base = params.strategy == "set" ? 900 : params.strategy == "ring" ? 1000 : 1200;
    return base + sample % 3;
  };
  return script;
}

const Row& row_of(const Document& document, const std::string& strategy) {
  return *std::ranges::find_if(document.rows,
                               [&](const Row& row) { return row.params.strategy == strategy; });
}

TurnOutcome lost() {
  TurnOutcome outcome;
  outcome.kind = TurnOutcome::Kind::lost;
  outcome.message = "rank 1 was killed";
  outcome.alive = false;
  return outcome;
}

}  // namespace

TEST_CASE("a strategy that needs another environment has ranks of its own, alive beside the others") {
  FakeClock clock;
  ScriptedRanks ranks(clock, clear_differences());
  const Document document = sweep(scripted_plan({&kRing, &kSet}, {2_KiB, 4_KiB}), ranks, clock);
  REQUIRE(ranks.started().size() == 6);  // two groups in each of three launches
  CHECK(ranks.started()[0].environment.empty());
  CHECK(ranks.started()[1].environment == kSet.environment({}));
  CHECK(ranks.most_alive() == 2);
  CHECK(row_of(document, "ring").setting == std::nullopt);
  CHECK(row_of(document, "set").setting == "SETTING=0");
  CHECK(document.verdicts.front().winner == "set");
  REQUIRE(row_of(document, "set").to_reference);
  CHECK(row_of(document, "set").to_reference->to == "ring");
  CHECK(row_of(document, "set").to_reference->ratio == Catch::Approx(1000.0 / 900).epsilon(0.01));
  CHECK(row_of(document, "set").to_reference->verdict == PairVerdict::faster);
}

TEST_CASE("both rank groups have their turns in each round, in one order that is drawn") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  sweep(scripted_plan({&kRing, &kSet}, {2_KiB}, one_launch()), ranks, clock);
  const auto& order = ranks.sampled();
  std::set<std::string> firsts;
  for (std::size_t at = 2; at + 1 < order.size(); at += 2) {  // behind the calibration
    CHECK(order[at] != order[at + 1]);
    firsts.insert(order[at]);
  }
  CHECK(firsts.size() == 2);
}

TEST_CASE("what is lost in one rank group restarts that group alone and costs one case") {
  FakeClock clock;
  Script script;
  script.fault = [failed = false](const Case& params, const Request& request,
                                  int) mutable -> std::optional<TurnOutcome> {
    const bool now = !failed && params.strategy == "set" && params.bytes == 2_KiB &&
                     std::holds_alternative<Sample>(request);
    failed = failed || now;
    if (!now) return std::nullopt;
    return lost();
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kSet}, {2_KiB, 4_KiB}, one_launch()), ranks, clock);
  CHECK(document.rows[0].status == Status::pass);
  CHECK(document.rows[1].status == Status::failed);
  CHECK(document.rows[2].status == Status::pass);
  CHECK(document.rows[3].status == Status::pass);
  REQUIRE(ranks.started().size() == 3);
  CHECK(ranks.started()[2].environment == kSet.environment({}));
}

TEST_CASE("a rank group that does not start fails its own cases alone") {
  FakeClock clock;
  Script script;
  script.fault_at_start = [](int start) { return start == 0 ? TurnOutcome{} : lost(); };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kSet}, {2_KiB, 4_KiB}, one_launch()), ranks, clock);
  for (const Row& row : document.rows)
    CHECK(row.status == (row.params.strategy == "ring" ? Status::pass : Status::failed));
}

TEST_CASE("rank groups that are apart run one after the other, and no winner is named between them") {
  FakeClock clock;
  ScriptedRanks ranks(clock, clear_differences());
  Plan plan = scripted_plan({&kRing, &kSet, &kTree}, {2_KiB, 4_KiB});
  set_apart(plan);
  const Document document = sweep(plan, ranks, clock);
  CHECK(ranks.most_alive() == 1);
  CHECK(document.complete);
  for (const Row& row : document.rows) {
    REQUIRE(row.launches.size() == 3);
    for (const LaunchSamples& launch : row.launches)
      CHECK(launch.turn_group == (row.params.strategy == "set" ? 1 : 0));
  }
  REQUIRE(document.verdicts.size() == 2);
  for (const GroupVerdict& verdict : document.verdicts) {
    CHECK_FALSE(verdict.winner);
    CHECK(verdict.tied.empty());
    CHECK(verdict.reason == "ring, tree took no turns with set, for want of memory");
    CHECK_FALSE(verdict.ratio_interval);
  }
  CHECK_FALSE(row_of(document, "set").to_reference);
  REQUIRE(row_of(document, "tree").to_reference);
  CHECK(row_of(document, "tree").to_reference->verdict == PairVerdict::slower);
  const Finding* apart = document.find("measured-apart:sweep");
  REQUIRE(apart != nullptr);
  CHECK(apart->evidence == std::vector<std::string>{"after the others: set"});
}

TEST_CASE("memory that holds one rank group but not two sets them apart, and less is an error") {
  const Plan plan = [] {
    Plan made = scripted_plan({&kRing, &kSet}, {2_KiB});
    for (PlannedRanks& ranks : made.rank_groups) ranks.arena_bytes = 64_MiB;
    return made;
  }();
  const Bytes both = host_memory_need(plan);
  Plan roomy = plan, short_of = plan, none = plan;
  fit_host_memory(roomy, both);
  CHECK_FALSE(roomy.apart);
  fit_host_memory(short_of, {both.count - 1});
  CHECK(short_of.apart);
  CHECK(short_of.groups.size() == 2);
  CHECK(host_memory_need(short_of).count == both.count / 2);
  CHECK_THROWS_AS(fit_host_memory(none, {both.count / 2 - 1}), EnvironmentError);
}

TEST_CASE("a GPU must hold the contexts and communicators of two rank groups, or they are set apart") {
  const NamedStrategy asks("asks", "auto");
  const NamedStrategy asks_apart("asks:set", "auto", {{"SETTING", "0"}});
  const Plan plan = scripted_plan({&asks, &asks_apart}, {2_KiB});
  const std::uint64_t need = device_memory_need(plan).count + (4096_MiB).count;
  Plan roomy = plan, short_of = plan;
  fit_gpu_memory(roomy, {need});
  CHECK_FALSE(roomy.apart);
  fit_gpu_memory(short_of, {need - 1});
  CHECK(short_of.apart);
  Plan alone = scripted_plan({&asks}, {2_KiB});
  fit_gpu_memory(alone, {});  // nothing to set apart
  CHECK_FALSE(alone.apart);
}

TEST_CASE("what a library ran is asked for each mode, on ranks with the strategy's environment") {
  const NamedStrategy asks("asks", "auto");
  const NamedStrategy asks_apart("asks:set", "auto", {{"SETTING", "0"}});
  FakeClock clock;
  Script script;
  script.prepare = [](const Case& params, bool reporting, int) {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    if (reporting) reply.ran = params.mode == Mode::graph ? "captured" : "eager";
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  Plan plan = scripted_plan({&asks, &asks_apart}, {2_KiB, 4_KiB}, one_launch());
  for (const std::size_t index : plan.groups[1].cases) {
    plan.cases[index].params.mode = Mode::graph;
    plan.cases[index].params.bytes = 2_KiB;
  }
  const Document document = sweep(plan, ranks, clock);
  CHECK(ranks.reporting_starts() == 2);
  CHECK(document.rows[0].ran == "eager");
  CHECK(document.rows[1].ran == "eager");
  CHECK(document.rows[2].ran == "captured");
  CHECK(document.rows[3].ran == "captured");
}

TEST_CASE("a strategy that stands for several names what it took in each launch") {
  FakeClock clock;
  Script script;
  script.prepare = [calls = 0](const Case&, bool, int rank) mutable {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    if (rank == 0) ++calls;
    reply.ran = calls == 2 ? "two-shot" : "one-shot";
    reply.chosen_by = "trial";
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock);
  const Row& row = document.rows.front();
  REQUIRE(row.launches.size() == 3);
  CHECK(row.launches[0].ran == "one-shot");
  CHECK(row.launches[1].ran == "two-shot");
  CHECK(row.launches[2].ran == "one-shot");
  CHECK(row.ran == "one-shot, two-shot");
}
