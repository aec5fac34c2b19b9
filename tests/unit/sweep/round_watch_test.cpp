#include "sweep/round_watch.hpp"

#include "support/catch.hpp"
#include "support/scripted_ranks.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

// A turn of 8 ms of two ranks; the second one waited so long for its core, and ran the rest.
std::vector<SampleReply> turn(double waited_ns, double spin_ns = 9000) {
  std::vector<SampleReply> replies(2);
  replies[0].conditions = TurnConditions{8e6, 8e6, 0.0, 9000.0};
  replies[1].conditions = TurnConditions{8e6, 8e6 - waited_ns, waited_ns, spin_ns};
  return replies;
}

Disturbance watch_turns(const std::vector<std::vector<SampleReply>>& turns, int usable = 2) {
  const FakeClock clock;
  RoundWatch watch(clock, nullptr, {{}, usable});
  for (const auto& one : turns) {
    watch.add_turn(one, {});
    watch.end_round();
  }
  watch.end();
  return watch.found();
}

// A host with two cores of which others may be given to somebody else, and a control group with a quota.
struct Host {
  Host() { set(0, 0, 0); }
  void set(int ticks, int stolen, int throttled_ms) {
    const std::string line = std::to_string(ticks) + " 0 0 0 0 0 0 " + std::to_string(stolen) + " 0 0\n";
    root.write("proc/stat", "cpu  1\ncpu0 " + line + "cpu1 " + line);
    root.write("proc/self/cgroup", "0::/pod\n");
    root.write("sys/fs/cgroup/pod/cpu.stat", "nr_throttled " + std::to_string(throttled_ms / 10) +
                                                 "\nthrottled_usec " + std::to_string(throttled_ms * 1000) +
                                                 "\n");
  }
  TemporaryFolder root;
};

}  // namespace

TEST_CASE("a round in which a rank waited for its core is disturbed, and a tick's work is not") {
  const Disturbance found = watch_turns({turn(0), turn(3e6), turn(3e5)});
  CHECK(found.disturbed == std::set<int>{1});
  CHECK(found.waited_rounds == 1);
  CHECK(*found.core_wait == Catch::Approx(3.0 / 8));
}

TEST_CASE("ranks that do not know whether they waited claim nothing") {
  const Disturbance found = watch_turns({std::vector<SampleReply>(2)});
  CHECK(found.disturbed.empty());
  CHECK_FALSE(found.core_wait);
}

TEST_CASE("ranks that share a core wait for one another, which disturbs no round") {
  // Both wait half of the time, and together have all of the one core.
  std::vector<SampleReply> shared(2);
  for (SampleReply& reply : shared) reply.conditions = TurnConditions{8e6, 4e6, 4e6, std::nullopt};
  CHECK(watch_turns({shared}, 1).disturbed.empty());
  CHECK(watch_turns({shared}, 2).disturbed.size() == 1);
  // Somebody else has half of the core.
  for (SampleReply& reply : shared) reply.conditions = TurnConditions{8e6, 2e6, 6e6, std::nullopt};
  CHECK(watch_turns({shared}, 1).disturbed.size() == 1);
}

TEST_CASE("a core whose speed moves within a round disturbs it, and between rounds does not") {
  const FakeClock clock;
  RoundWatch watch(clock, nullptr, {{}, 2});
  for (const double spin_ns : {9000.0, 9100.0}) watch.add_turn(turn(0, spin_ns), {});
  watch.end_round();
  for (const double spin_ns : {12000.0, 12100.0}) watch.add_turn(turn(0, spin_ns), {});
  watch.end_round();
  for (const double spin_ns : {12000.0, 9000.0}) watch.add_turn(turn(0, spin_ns), {});
  watch.end_round();
  watch.end();
  CHECK(watch.found().disturbed == std::set<int>{2});
  CHECK(watch.found().spin_ns->high == 12100);
}

TEST_CASE("a GPU's clock that moves within a round disturbs it, and GPUs that differ do not") {
  const FakeClock clock;
  RoundWatch watch(clock, nullptr, {{}, 2});
  watch.add_turn({}, {{1980, 0}, {1700, 0}});
  watch.add_turn({}, {{1975, 0}, {1700, 0}});
  watch.end_round();
  watch.add_turn({}, {{1980, 0}, {1700, 0}});
  watch.add_turn({}, {{1500, 0}, {1700, 0}});
  watch.end_round();
  CHECK(watch.found().disturbed == std::set<int>{1});
  CHECK(watch.found().clock_rounds == 1);
}

TEST_CASE("a hypervisor that takes a core disturbs the rounds since the last look") {
  Host host;
  FakeClock clock;
  const HostWatch counters(RootFiles(host.root.path()), 1);
  RoundWatch watch(clock, &counters, {{0, 1}, 2});
  const auto round = [&](int ticks, int stolen) {
    host.set(ticks, stolen, 0);
    clock.advance(250ms);
    watch.add_turn(turn(0), {});
    watch.end_round();
  };
  round(25, 0);
  round(40, 10);
  round(65, 10);
  watch.end();
  CHECK(watch.found().disturbed == std::set<int>{1});
  CHECK(watch.found().stolen_rounds == 1);
  CHECK(watch.found().stolen == Catch::Approx(10.0 / 25));
}

TEST_CASE("a quota that stops the ranks disturbs the rounds since the last look, and is counted") {
  Host host;
  FakeClock clock;
  const HostWatch counters(RootFiles(host.root.path()), 1);
  RoundWatch watch(clock, &counters, {{0, 1}, 2});
  for (const int throttled_ms : {0, 0, 120}) {
    host.set(0, 0, throttled_ms);
    clock.advance(100ms);
    watch.add_turn(std::vector<SampleReply>(2), {});
    watch.end_round();
  }
  watch.end();
  CHECK(watch.found().throttling.times == 12);
  CHECK(watch.found().throttling.stopped == 120ms);
  CHECK(watch.found().disturbed == std::set<int>{2});
}
