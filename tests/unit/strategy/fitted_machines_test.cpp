// The shipped machines against the published times that they name: what they say of their errors is
// recalculated here.
#include <cmath>

#include "base/text.hpp"
#include "machine/profile_catalogue.hpp"
#include "machine/published.hpp"
#include "stats/order.hpp"
#include "strategy/cost.hpp"
#include "strategy/custom_table.hpp"
#include "strategy/registry.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

bool has_gpu_strategies() {
  return find_strategy("custom-push", DeviceKind::cuda) != nullptr;
}

Case case_of(const std::string& strategy, int ranks, Bytes bytes) {
  return {.strategy = strategy,
          .family = strategy,
          .device = DeviceKind::model,
          .mode = Mode::graph,
          .bytes = bytes,
          .ranks = ranks};
}

double estimate_ns(const MachineProfile& machine, const Case& params) {
  return estimate_on(machine, *find_strategy(params.strategy, DeviceKind::cuda), params).time_ns;
}

// "NCCL 2.29.2 on H100 SXM (published, ...)", "SGLang 0.5.14's allreduce, another kernel, on H200 (published,
// ...)"
const PublishedTable* table_of(const FitError& error) {
  for (const PublishedTable& table : published_tables().tables) {
    if (table.gpus == error.ranks && error.to.starts_with(table.library + " " + table.version) &&
        error.to.find(" on " + table.gpu + " (published, " + published_tables().source) != std::string::npos)
      return &table;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a machine that was fitted to published times is as far off as it says") {
  if (!has_gpu_strategies()) return;
  int checked = 0;
  for (const MachineProfile& machine : list_machine_profiles()) {
    for (const FitError& error : machine.fit_errors) {
      CAPTURE(machine.name, error.strategy, error.ranks, error.to);
      const PublishedTable* const table = table_of(error);
      if (table == nullptr) {
        CHECK(error.to.starts_with("docs/results/"));
        continue;
      }
      std::vector<double> errors;
      for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) {
        const double published = published_time(*table, bytes)->time_ns;
        errors.push_back(
            std::fabs(estimate_ns(machine, case_of(error.strategy, error.ranks, bytes)) / published - 1));
      }
      CHECK(static_cast<int>(errors.size()) == error.sizes);
      CHECK(median(errors) == Catch::Approx(error.median).margin(0.001));
      CHECK(std::ranges::max(errors) == Catch::Approx(error.worst).margin(0.001));
      ++checked;
    }
  }
  CHECK(checked == 3 * 6 + 3);
}

TEST_CASE("custom of a described machine is the kernel that its link's table takes, not the fastest") {
  if (!has_gpu_strategies()) return;
  for (const MachineProfile& machine : list_machine_profiles()) {
    if (machine.peer_access == PeerAccess::staged) continue;
    for (int ranks = 2; ranks <= machine.ranks; ranks *= 2) {
      for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) {
        CAPTURE(machine.name, ranks, bytes.count);
        const Case params = case_of("custom", ranks, bytes);
        const Estimate custom = estimate_on(machine, *find_strategy("custom", DeviceKind::cuda), params);
        const std::string& taken =
            choose_custom(built_in_custom_table(), machine.peer_access.value(), Mode::graph, ranks, bytes);
        REQUIRE(custom.choice);
        CHECK(custom.choice->ran == taken);
        CHECK(custom.choice->chosen_by == "built-in table " + built_in_custom_table().digest);
        CHECK(custom.time_ns == estimate_ns(machine, case_of(taken, ranks, bytes)));
      }
    }
  }
}

TEST_CASE("where the table does not take the fastest kernel, custom is not the fastest") {
  if (!has_gpu_strategies()) return;
  MachineProfile machine = find_machine_profile("h200x8-nvswitch");
  machine.fitted.push_back(
      {.strategy = "custom-pull", .mode = Mode::graph, .ranks = 8, .alpha_ns = 1, .beta_ns_per_byte = 0});
  const Case params = case_of("custom", 8, 64_KiB);
  CHECK(estimate_ns(machine, params) > 10 * estimate_ns(machine, case_of("custom-pull", 8, 64_KiB)));
}
