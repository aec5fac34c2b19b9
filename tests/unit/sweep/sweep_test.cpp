#include "sweep/sweep.hpp"

#include <algorithm>
#include <set>

#include "stats/order.hpp"
#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

const NamedStrategy kRing("ring");
const NamedStrategy kTree("tree");

TurnOutcome timed_out() {
  TurnOutcome outcome;
  outcome.kind = TurnOutcome::Kind::timeout;
  outcome.message = "rank 0 does not answer";
  outcome.alive = false;
  return outcome;
}

}  // namespace

TEST_CASE("a sample is the slowest rank's time of one repetition divided by its calls") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int rank, int, int) { return rank == 1 ? 3000.0 : 1000.0; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock);
  REQUIRE(document.rows.size() == 1);
  const Row& row = document.rows.front();
  CHECK(row.status == Status::pass);
  CHECK(row.time->median_ns == Catch::Approx(3000));
  CHECK(row.launches.front().first_call_ns == 5001.0);
  CHECK(row.launches.front().calls_per_sample == 122);
  CHECK(*row.algbw_gbps == Catch::Approx(2048.0 / 3000));
}

TEST_CASE("a launch has NCCL's own calls, of each the rank that spent most time in it") {
  FakeClock clock;
  Script script;
  script.prepare = [](const Case&, bool, int rank) {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    reply.nccl_calls = {{"ncclCommInitRank", 1, rank == 0 ? 9e6 : 8e6}, {"ncclAllReduce", 1, 100.0 + rank}};
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock);
  const std::vector<HeardRange>& calls = document.rows.front().launches.back().nccl_calls;
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "ncclCommInitRank");
  CHECK(calls[0].time_ns == 9e6);
  CHECK(calls[1].name == "ncclAllReduce");
  CHECK(calls[1].time_ns == 101);
}

TEST_CASE("each launch gets fresh ranks and all strategies get the same rounds") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  CHECK(ranks.starts() == 3);
  for (const Row& row : document.rows) {
    CHECK(row.launches.size() == 3);
    CHECK(row.launches[0].samples_ns.size() == document.rows.front().launches[0].samples_ns.size());
  }
  CHECK(document.method->launches == 3);
  CHECK(document.complete);
}

TEST_CASE("the order within a round is drawn from the seed") {
  const auto order_of = [](std::uint64_t seed) {
    FakeClock clock;
    ScriptedRanks ranks(clock, {});
    SweepRequest request;
    request.seed = seed;
    request.launches = 1;
    sweep(scripted_plan({&kRing, &kTree}, {2_KiB}, request), ranks, clock);
    return ranks.sampled();
  };
  CHECK(order_of(1) == order_of(1));
  CHECK(order_of(1) != order_of(2));
  const auto order = order_of(3);
  // Interleaved: both come in every round, and neither is always first.
  std::set<std::string> firsts;
  for (std::size_t at = 2; at + 1 < order.size(); at += 2) {
    CHECK(order[at] != order[at + 1]);
    firsts.insert(order[at]);
  }
  CHECK(firsts.size() == 2);
}

TEST_CASE("a clear difference in three launches names a winner") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case& params, int, int, int sample) {
    return (params.strategy == "ring" ? 1000.0 : 1200.0) + sample % 3;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kTree, &kRing}, {2_KiB}), ranks, clock);
  REQUIRE(document.verdicts.size() == 1);
  CHECK(document.verdicts.front().winner == "ring");
  CHECK(document.verdicts.front().ratio == Catch::Approx(1.2).epsilon(0.01));
  CHECK(document.find("winner:2K bf16 eager") != nullptr);
}

TEST_CASE("two entries of one strategy that differ by placement come out as a tie") {
  FakeClock clock;
  Script script;
  // 3 % apart for good within each launch, but not the same way in all of them.
  script.call_ns = [](const Case& params, int, int launch, int) {
    return params.entry == launch % 2 ? 1000.0 : 1030.0;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing, &kRing}, {2_KiB}), ranks, clock);
  CHECK_FALSE(document.verdicts.front().winner);
  CHECK(document.verdicts.front().tied.size() == 2);
}

TEST_CASE("a row's interval holds the median of each launch") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int, int launch, int sample) {
    return 1000.0 + 100 * launch + sample % 3;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock);
  const Row& row = document.rows.front();
  REQUIRE(row.launches.size() == 3);
  REQUIRE(row.time->interval95_ns);
  for (const LaunchSamples& launch : row.launches) {
    CHECK(row.time->interval95_ns->low <= median(launch.samples_ns));
    CHECK(row.time->interval95_ns->high >= median(launch.samples_ns));
  }
}

TEST_CASE("buffers are given out in turned order in every other launch") {
  FakeClock clock;
  Script script;
  std::vector<std::string> prepared;
  script.prepare = [&](const Case& params, bool, int rank) {
    if (rank == 0) prepared.push_back(params.strategy);
    return PrepareReply{5000, std::nullopt, std::nullopt};
  };
  ScriptedRanks ranks(clock, script);
  sweep(scripted_plan({&kRing, &kTree}, {2_KiB}), ranks, clock);
  CHECK(prepared == std::vector<std::string>{"ring", "tree", "tree", "ring", "ring", "tree"});
}

TEST_CASE("fewer than three launches never name a winner") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case& params, int, int, int) {
    return params.strategy == "ring" ? 1000.0 : 9000.0;
  };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.launches = 2;
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {2_KiB}, request), ranks, clock);
  CHECK_FALSE(document.verdicts.front().winner);
  CHECK(document.verdicts.front().reason == "a winner needs 3 launches; 2 asked for");
}

TEST_CASE("the model device gives modelled rows without ranks") {
  Document document;
  MachineProfile machine;
  machine.bandwidth_gbps = 10;
  run_model(scripted_plan({&kRing}, {2_KiB}), machine, document);
  CHECK(document.rows.front().origin == Origin::modelled);
  CHECK(document.rows.front().time->median_ns == 2048);
  CHECK(document.complete);
}

TEST_CASE("a described GPU machine whose strategies are the host's is warned of") {
  const auto warnings = [](int compute_capability) {
    Document document;
    MachineProfile machine;
    machine.bandwidth_gbps = 10;
    machine.compute_capability = compute_capability;
    run_model(scripted_plan({&kRing}, {2_KiB}), machine, document);
    return std::ranges::count(document.findings, "host-strategies", &Finding::kind);
  };
  CHECK(warnings(90) == 1);
  CHECK(warnings(0) == 0);
}

TEST_CASE("what a library ran is read back in a group of its own, and a difference is told") {
  const NamedStrategy ring("nccl-ring:ll", "RING/LL");
  const NamedStrategy any("nccl-ring", "RING");
  const NamedStrategy automatic("nccl-auto", "auto");
  FakeClock clock;
  Script script;
  script.prepare = [](const Case& params, bool reporting, int rank) {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    // One rank is told, in a group that reports.
    if (reporting && rank == 1) {
      reply.ran = params.bytes == 4_KiB ? "RING/SIMPLE" : "RING/LL";
      if (params.bytes == 4_KiB) reply.channels = 16;
    }
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  const Document document =
      sweep(scripted_plan({&ring, &any, &automatic, &kTree}, {2_KiB, 4_KiB}), ranks, clock);
  CHECK(ranks.reporting_starts() == 1);
  CHECK(ranks.starts() == 3);
  REQUIRE(document.rows.size() == 8);
  CHECK(document.rows[0].asked == "RING/LL");
  CHECK(document.rows[0].ran == "RING/LL");
  CHECK(document.rows[4].ran == "RING/SIMPLE");
  CHECK(document.rows[4].channels == 16);
  CHECK(document.rows[0].channels == std::nullopt);
  CHECK(document.rows[7].channels == std::nullopt);
  CHECK(document.rows[3].asked == std::nullopt);
  const Finding* difference = document.find("asked-not-run:nccl-ring:ll");
  REQUIRE(difference != nullptr);
  CHECK(difference->evidence == std::vector<std::string>{"4K bf16: RING/SIMPLE"});
  CHECK(document.rows[4].status == Status::pass);
  CHECK(std::ranges::count(document.rows[4].findings, difference->id()) == 1);
  CHECK(std::ranges::count(document.rows[0].findings, difference->id()) == 0);
  CHECK(document.find("asked-not-run:nccl-ring") == nullptr);
  CHECK(document.find("asked-not-run:nccl-auto") == nullptr);
}

TEST_CASE("a row says what its strategy took, what chose it, and what was wrong with that") {
  const NamedStrategy custom("custom");
  const std::string table = "built-in table fnv1a:0123456789abcdef";
  FakeClock clock;
  Script script;
  int calls = 0;
  script.prepare = [&](const Case& params, bool, int rank) {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    if (params.strategy != "custom") return reply;
    if (rank == 0) ++calls;
    // The third launch has another kernel of it.
    reply.ran = calls < 3 ? "custom-push" : "custom-two-shot";
    reply.chosen_by = table;
    if (rank == 0) {
      reply.choice_problem = Finding{.kind = "custom-table-unreadable",
                                     .severity = Severity::warning,
                                     .subject = "/data/2x-GPU-a.toml",
                                     .message = "custom takes its built-in table",
                                     .evidence = {},
                                     .remedy = "remove it"};
    }
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&custom, &kTree}, {2_KiB}), ranks, clock);
  REQUIRE(calls == 3);
  const Row& row = document.rows[0];
  CHECK(row.ran == "custom-push, custom-two-shot");
  CHECK(row.chosen_by == table);
  CHECK(row.asked == std::nullopt);
  CHECK(document.rows[1].ran == std::nullopt);
  CHECK(document.rows[1].chosen_by == std::nullopt);
  const Finding* problem = document.find("custom-table-unreadable:/data/2x-GPU-a.toml");
  REQUIRE(problem != nullptr);
  CHECK(problem->severity == Severity::warning);
  CHECK(problem->remedy == "remove it");
  CHECK(std::ranges::count(row.findings, problem->id()) == 1);
}

TEST_CASE("a case that gave a wrong result still says which kernel it was") {
  const NamedStrategy custom("custom");
  FakeClock clock;
  Script script;
  script.prepare = [](const Case&, bool, int) {
    PrepareReply reply{5000, std::nullopt, "custom-push"};
    reply.chosen_by = "built-in table";
    return reply;
  };
  script.mismatch = [](const Case&) { return "element 0 differs"; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&custom}, {2_KiB}), ranks, clock);
  CHECK(document.rows[0].status == Status::failed);
  CHECK(document.rows[0].ran == "custom-push");
}

TEST_CASE("a way that turns out not to exist here is skipped with the library's reason and is no failure") {
  const NamedStrategy nvls("nccl-nvls", "NVLS");
  FakeClock clock;
  Script script;
  script.prepare = [](const Case& params, bool, int) {
    PrepareReply reply{5000, std::nullopt, std::nullopt};
    if (params.strategy == "nccl-nvls") reply.unavailable = "no algorithm/protocol available";
    return reply;
  };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&nvls, &kTree}, {2_KiB}), ranks, clock);
  CHECK(document.rows[0].status == Status::skipped);
  CHECK(document.rows[1].status == Status::pass);
  const Finding* reason = document.find("not-available:nccl-nvls 2K bf16 eager");
  REQUIRE(reason != nullptr);
  CHECK(reason->message == "no algorithm/protocol available");
  CHECK(exit_code(document) == ExitCode::ok);
}

TEST_CASE("a library that hangs while it is read back costs its case and no other") {
  const NamedStrategy ring("nccl-ring:ll", "RING/LL");
  const NamedStrategy simple("nccl-ring:simple", "RING/SIMPLE");
  FakeClock clock;
  Script script;
  script.fault = [](const Case& params, const Request& request, int) -> std::optional<TurnOutcome> {
    if (params.strategy == "nccl-ring:ll" && std::holds_alternative<Prepare>(request)) return timed_out();
    return std::nullopt;
  };
  script.prepare = [](const Case&, bool, int) { return PrepareReply{5000, std::nullopt, "RING/SIMPLE"}; };
  ScriptedRanks ranks(clock, script);
  const Document document = sweep(scripted_plan({&ring, &simple}, {2_KiB}), ranks, clock);
  CHECK(document.rows[0].status == Status::timeout);
  CHECK(document.rows[1].status == Status::pass);
  CHECK(ranks.reporting_starts() == 2);
}

TEST_CASE("clocks are looked at after each turn, and clocks that were held down are told") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  int looks = 0;
  SweepHooks hooks;
  hooks.gpu_states = [&] {
    ++looks;
    return std::vector<GpuState>{{1980, 0},
                                 {looks == 5 ? 1200u : 1900u, looks == 5 ? std::uint64_t{0x40} : 0}};
  };
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}), ranks, clock, hooks);
  const Row& row = document.rows.front();
  REQUIRE(row.clocks);
  CHECK(row.clocks->sm_mhz_min == 1200);
  CHECK(row.clocks->sm_mhz_max == 1980);
  CHECK(row.clocks->held_by == std::vector<std::string>{"hardware thermal slowdown"});
  const Finding* held = document.find("clocks-held:GPU clocks");
  REQUIRE(held != nullptr);
  CHECK(held->evidence.front() == "ring 2K bf16 eager: hardware thermal slowdown, SM at 1200 MHz");
}

TEST_CASE("skew is measured apart: what the others waited and what was left after the late one came") {
  FakeClock clock;
  Script script;
  script.call_ns = [](const Case&, int rank, int, int) { return rank == 0 ? 2000.0 : 1500.0; };
  ScriptedRanks ranks(clock, script);
  SweepRequest request;
  request.skew = 20us;
  const Document document = sweep(scripted_plan({&kRing}, {2_KiB}, request), ranks, clock);
  const Row& row = document.rows.front();
  REQUIRE(row.skew);
  CHECK(row.skew->delay_ns == 20000);
  CHECK(row.skew->others_ns == 22000);
  CHECK(row.skew->after_arrival_ns == 1500);
  CHECK(row.time->median_ns == Catch::Approx(2000));
}

TEST_CASE("the link is kept once for each size, at its best over the launches") {
  FakeClock clock;
  ScriptedRanks ranks(clock, {});
  const Document document = sweep(scripted_plan({&kRing, &kTree}, {4_KiB, 8_KiB}), ranks, clock);
  REQUIRE(document.links.size() == 2);
  CHECK(document.links[0].bytes == 4_KiB);
  CHECK(document.links[1].bytes == 8_KiB);
  CHECK(document.links[0].one_way_latency_ns == 100);
  CHECK(document.links[0].bandwidth_gbps == 10.0);
}
