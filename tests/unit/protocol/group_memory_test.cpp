// What a plan counts of a rank's memory is what a session takes.
#include "protocol/group_memory.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/errors.hpp"
#include "device/make_device.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"
#include "support/thread_team.hpp"
#include "sweep/plan.hpp"
#include "worker/measure_session.hpp"

using namespace ringside;

namespace {

Case make_case(const Strategy& strategy, int ranks, DType dtype, std::size_t count) {
  Case params;
  params.collective = strategy.collective();
  params.strategy = strategy.name();
  params.family = strategy.family();
  params.device = DeviceKind::host;
  params.ranks = ranks;
  params.dtype = dtype;
  params.bytes = {count * element_size(dtype)};
  return params;
}

// The most that each rank's arena of this size held while the cases were prepared in this order.
std::vector<Bytes> peaks(Bytes arena, const BeginGroup& group, const std::vector<Case>& cases) {
  const int ranks = cases.front().ranks;
  std::vector<Bytes> most(static_cast<std::size_t>(ranks));
  run_host_ranks(ranks, arena, [&](HostDevice& device) {
    const ProgressCells cells(ranks);
    MeasureSession session(device, cells[0]);
    session.handle(encode(Request(group)));
    for (std::size_t slot = 0; slot < cases.size(); ++slot)
      session.handle(encode(Request(Prepare{static_cast<int>(slot), cases[slot]})));
    session.handle(encode(Request(MeasureLimits{group.message})));
    session.handle(encode(Request(EndGroup{})));
    most[static_cast<std::size_t>(device.rank())] = device.arena().peak();
  });
  return most;
}

Bytes count(const BeginGroup& group, const std::vector<Case>& cases) {
  std::vector<GroupMember> members;
  for (const Case& params : cases)
    members.push_back({find_strategy(params.strategy, params.device), &params});
  return arena_need(group, members);
}

// "" when a group of two cases with these parameters takes what was counted, on every rank, and fits into
// that.
std::string difference(const Case& params, std::size_t cold_inputs) {
  const BeginGroup group = whole_group(params, cold_inputs);
  const std::vector<Case> twice(2, params);
  const Bytes counted = count(group, twice);
  const std::vector<Bytes> taken = peaks(counted, group, twice);
  if (std::ranges::count(taken, counted) == params.ranks) return "";
  std::string text = case_name(params) + ", counted " + std::to_string(counted.count) + ", taken";
  for (const Bytes bytes : taken) text += " " + std::to_string(bytes.count);
  return text;
}

std::vector<const Strategy*> host_strategies() {
  std::vector<const Strategy*> strategies;
  for (const Strategy* strategy : all_strategies()) {
    if (strategy->device() == DeviceKind::host) strategies.push_back(strategy);
  }
  return strategies;
}

}  // namespace

TEST_CASE("every host strategy takes of the arena what was counted, whatever the size", "[threads]") {
  std::vector<std::string> wrong;
  const auto look = [&](const Case& params, std::size_t cold_inputs = 0) {
    if (const std::string text = difference(params, cold_inputs); !text.empty()) wrong.push_back(text);
  };
  for (const Strategy* strategy : host_strategies()) {
    for (const std::size_t elements : {1, 999, 4096, 40'961}) {
      for (const DType dtype : {DType::bf16, DType::fp16, DType::fp32})
        look(make_case(*strategy, 2, dtype, elements));
      look(make_case(*strategy, 3, DType::bf16, elements));
    }
    // From 1 MiB on results are also tried that go around the caches; one-shot is left out at some time.
    for (const std::size_t elements : {524'288, 1'000'003})
      look(make_case(*strategy, 2, DType::bf16, elements));
    look(make_case(*strategy, 2, DType::fp32, 999), 5);
  }
  CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("an all-to-all takes of the arena what was counted, however its load is skewed", "[threads]") {
  const Strategy* direct = find_strategy("direct", DeviceKind::host);
  REQUIRE(direct != nullptr);
  for (const std::vector<double>& load : {std::vector<double>{1, 0, 0}, {3, 1, 2}, {0, 0, 1}}) {
    for (const std::size_t elements : {7, 10'001}) {
      Case params = make_case(*direct, 3, DType::fp32, elements);
      params.load = load;
      CHECK(difference(params, 0) == "");
    }
  }
}

TEST_CASE("a byte less than what was counted does not do", "[threads]") {
  for (const Strategy* strategy : host_strategies()) {
    const std::vector<Case> cases = {make_case(*strategy, 2, DType::fp32, 999)};
    const BeginGroup group = whole_group(cases.front(), 0);
    const Bytes counted = count(group, cases);
    CHECK_NOTHROW(peaks(counted, group, cases));
    CHECK_THROWS_AS(peaks({counted.count - 1}, group, cases), EnvironmentError);
  }
}

TEST_CASE("a plan's arena holds each of its groups, in the order of every launch, and no more", "[threads]") {
  SweepRequest request;
  request.ranks = 2;
  request.first().sizes = {{1002}, 64_KiB, {1'400'006}};
  request.first().strategies = {"all", "ring"};
  request.first().dtypes = {DType::bf16};
  const Plan plan = make_plan(request, {.device = DeviceKind::host, .cores = 2});
  REQUIRE(plan.groups.size() == 3);
  REQUIRE(plan.rank_groups.size() == 1);
  const Bytes arena = plan.rank_groups.front().arena_bytes;
  Bytes most;
  for (const CaseGroup& group : plan.groups) {
    std::vector<Case> cases;
    for (const std::size_t index : group.cases) cases.push_back(plan.cases[index].params);
    REQUIRE(cases.size() == 5);
    const BeginGroup begin = whole_group(cases.front(), 0);
    for (int launch = 0; launch < 2; ++launch) {
      for (const Bytes peak : peaks(arena, begin, cases)) most = std::max(most, peak);
      std::ranges::reverse(cases);
    }
  }
  CHECK(most == arena);
  CHECK(plan.staging_bytes == Bytes{1'400'006 + kInputSlack});
  CHECK(host_memory_need(plan).count ==
        2 * (HostDevice::memory_needed(2, arena).count + plan.staging_bytes.count));
}

TEST_CASE("a group without memory of its own and a described machine need nothing") {
  CHECK(arena_need({}, {}) == Bytes{});
  SweepRequest request;
  request.device = DeviceKind::model;
  request.first().sizes = {{std::uint64_t{1} << 62}};
  CHECK(make_plan(request, {.device = DeviceKind::model}).rank_groups.front().arena_bytes == Bytes{});
}

TEST_CASE("custom on GPUs needs what the neediest of its kernels does") {
  const Strategy* custom = find_strategy("custom", DeviceKind::cuda);
  if (custom == nullptr) return;  // a build without CUDA
  for (const Bytes bytes : {Bytes{2}, 2_KiB, 64_KiB, Bytes{65538}, 16_MiB}) {
    for (const int ranks : {2, 8}) {
      Case params = make_case(*custom, ranks, DType::bf16, bytes.count / 2);
      params.device = DeviceKind::cuda;
      const auto need = [&](const Strategy& strategy) {
        Arena arena = Arena::counting(ranks);
        arena.allocate(1_B);
        strategy.allocate(arena, params);
        return std::array{arena.used(), arena.peak()};
      };
      std::array<Bytes, 2> most{};
      for (const char* name : {"custom-push-ll", "custom-push", "custom-two-shot", "custom-pull"}) {
        const auto one = need(*find_strategy(name, DeviceKind::cuda));
        for (std::size_t i = 0; i < most.size(); ++i) most[i] = std::max(most[i], one[i]);
      }
      CHECK(need(*custom) == most);
      CHECK(most[0] > 1_B);
      if (bytes <= 64_KiB) CHECK(most[1].count >= most[0].count + 2 * bytes.count);  // places are tried
    }
  }
}

TEST_CASE("a GPU needs its control page, and what evicts its cache where inputs are cold") {
  if (find_strategy("custom", DeviceKind::cuda) == nullptr) return;  // a build without CUDA
  const auto need = [](Bytes cache) {
    return device_memory({.kind = DeviceKind::cuda, .ranks = 2, .arena = 1_MiB, .evicted_cache = cache});
  };
  CHECK(need({}) > 1_MiB);
  CHECK(need(50_MiB).count == need({}).count + (100_MiB).count);
  Arena arena = Arena::counting(8);
  count_limits(DeviceKind::cuda, arena, 1_MiB);
  CHECK(arena.used() == Bytes{});
  CHECK(arena.peak().count > (15_MiB).count);  // shorter messages are measured as some of 16 MiB
  CHECK(arena.peak().count <= (16_MiB).count);
}

TEST_CASE("the host measures its limits in an input and an output of the message, 64 KiB at least") {
  Arena arena = Arena::counting(2);
  count_limits(DeviceKind::host, arena, 2_KiB);
  CHECK(arena.used() == Bytes{});
  CHECK(arena.peak() == 128_KiB);
  count_limits(DeviceKind::host, arena, 1_MiB);
  CHECK(arena.peak() == 2_MiB);
}
