#include "strategy/registry.hpp"

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::vector<std::string> names(const std::vector<const Strategy*>& strategies) {
  std::vector<std::string> all;
  for (const Strategy* strategy : strategies) all.emplace_back(strategy->name());
  return all;
}

std::string refusal(std::string_view name, DeviceKind device) {
  try {
    find_strategies(name, device);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

Case small_case(int ranks) {
  Case params;
  params.strategy = "ring";
  params.bytes = 2_KiB;
  params.ranks = ranks;
  return params;
}

}  // namespace

TEST_CASE("the host's strategies are found all together, sorted, and one by one") {
  CHECK(names(find_strategies("all", DeviceKind::host)) ==
        std::vector<std::string>{"custom", "ring", "symmetric", "tree"});
  CHECK(names(find_strategies("tree", DeviceKind::host)) == std::vector<std::string>{"tree"});
  CHECK(find_strategy("ring", DeviceKind::host) == find_strategies("ring", DeviceKind::host).front());
  CHECK(find_strategy("no such thing", DeviceKind::host) == nullptr);
}

TEST_CASE(
    "a described machine is computed with the GPUs' strategies where there are any, else with the host's") {
  const bool gpus = std::ranges::any_of(
      all_strategies(), [](const Strategy* strategy) { return strategy->device() == DeviceKind::cuda; });
  const DeviceKind offered = gpus ? DeviceKind::cuda : DeviceKind::host;
  CHECK(find_strategies("all", DeviceKind::model) == find_strategies("all", offered));
  CHECK(find_strategy("custom", DeviceKind::model) == find_strategy("custom", offered));
}

TEST_CASE("strategies are found for the collective that is asked for") {
  CHECK(names(find_strategies("all", DeviceKind::host, Collective::alltoall)) ==
        std::vector<std::string>{"direct"});
  CHECK(refusal("direct", DeviceKind::host) == "strategy 'direct' is for collective alltoall, not allreduce");
}

TEST_CASE("an unknown strategy is refused with the nearest name and all that are valid") {
  CHECK(refusal("rinf", DeviceKind::host) ==
        "unknown strategy 'rinf' (did you mean 'ring'?); valid on host: all, custom, ring, symmetric, tree");
}

TEST_CASE("every strategy says what it is and how it sums") {
  for (const Strategy* strategy : all_strategies()) {
    INFO(strategy->name());
    CHECK(std::string(strategy->name()).starts_with(std::string(strategy->family())));
    CHECK_FALSE(strategy->summary().empty());
    CHECK(strategy->summary().size() < 100);
  }
  CHECK(std::is_sorted(all_strategies().begin(), all_strategies().end(),
                       [](const Strategy* a, const Strategy* b) { return a->family() < b->family(); }));
}

TEST_CASE("the host admits 2 to 16 ranks and no graphs, and says why not") {
  const Strategy& ring = *find_strategy("ring", DeviceKind::host);
  const AdmissionContext host{.device = DeviceKind::host, .cores = 2};
  CHECK_FALSE(ring.admit(small_case(2), host));
  CHECK_FALSE(ring.admit(small_case(16), host));
  for (const int ranks : {0, 1, 17, 1000}) {
    const auto finding = ring.admit(small_case(ranks), host);
    REQUIRE(finding);
    CHECK(finding->kind == "not-admitted");
    CHECK(finding->subject == "ring 2K bf16 eager");
    CHECK(finding->message.find("ranks") != std::string::npos);
  }
  Case graph = small_case(2);
  graph.mode = Mode::graph;
  const auto finding = ring.admit(graph, host);
  REQUIRE(finding);
  CHECK(finding->remedy == "use --mode eager");
  CHECK_FALSE(ring.admit(graph, {.device = DeviceKind::model}));
}
