#include "sweep/fit_cost.hpp"

#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "machine/profile_catalogue.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

std::vector<CostPoint> points_of(double alpha, double beta, double gamma) {
  std::vector<CostPoint> points;
  for (std::uint64_t bytes = 2048; bytes <= 64u << 20; bytes *= 2) {
    const auto size = static_cast<double>(bytes);
    points.push_back({{bytes}, alpha + beta * size + gamma * std::sqrt(size)});
  }
  return points;
}

Document measured(const std::vector<CostPoint>& points) {
  Document document;
  document.machine.name = "a \"box\"";
  for (const CostPoint& point : points) {
    Row row;
    row.params = {.strategy = "ring", .family = "ring", .bytes = point.bytes, .ranks = 2};
    row.status = Status::pass;
    row.time.emplace().median_ns = point.time_ns;
    document.rows.push_back(row);
    document.links.push_back({point.bytes, 150, 0, 20.0});
  }
  return document;
}

}  // namespace

TEST_CASE("what follows the law is found again") {
  for (const auto& [alpha, beta, gamma] :
       {std::array{5000.0, 0.003, 2.0}, std::array{100.0, 0.5, 0.0}, std::array{800.0, 0.0, 7.0}}) {
    const FittedCost cost = fit_cost(points_of(alpha, beta, gamma));
    CHECK(cost.alpha_ns == Catch::Approx(alpha).epsilon(1e-6));
    CHECK(cost.beta_ns_per_byte == Catch::Approx(beta).margin(1e-9));
    CHECK(cost.gamma_ns_per_root == Catch::Approx(gamma).margin(1e-5));
  }
}

TEST_CASE("no factor is negative, whatever the points say") {
  const FittedCost cost = fit_cost(std::vector<CostPoint>{{{1000}, 50.0}, {{2000}, 40.0}, {{4000}, 30.0}});
  CHECK(cost.alpha_ns >= 0);
  CHECK(cost.beta_ns_per_byte >= 0);
  CHECK(cost.gamma_ns_per_root >= 0);
  CHECK(cost.alpha_ns == Catch::Approx(38).epsilon(0.1));
}

TEST_CASE("sizes that are held out measure the fit") {
  const auto exact = fit_costs(measured(points_of(5000, 0.003, 0)));
  REQUIRE(exact.size() == 1);
  CHECK(*exact[0].held_out_error < 1e-6);
  std::vector<CostPoint> jagged = points_of(5000, 0.003, 0);
  for (std::size_t i = 1; i < jagged.size(); i += 2) jagged[i].time_ns *= 2;
  CHECK(*fit_costs(measured(jagged))[0].held_out_error == Catch::Approx(0.5).epsilon(0.01));
}

TEST_CASE("a profile that was fitted can be read and gives the fitted times") {
  const Document document = measured(points_of(5000, 0.003, 2));
  const std::string text = profile_text(document, fit_costs(document), "a test");
  const MachineProfile machine =
      read_machine_profile({.name = "fitted", .origin = "fitted.toml", .text = text});
  CHECK(machine.origin == Origin::measured);
  CHECK(machine.title == "a \"box\"");
  CHECK(machine.device() == DeviceKind::host);
  REQUIRE(machine.fitted.size() == 1);
  REQUIRE(machine.fit_errors.size() == 1);
  CHECK(machine.fit_errors[0].to == "a test");
  CHECK(machine.fit_errors[0].sizes == static_cast<int>(document.rows.size()));
  CHECK(machine.fit_errors[0].worst == Catch::Approx(0).margin(1e-4));
  CHECK(machine.fitted[0].time_ns({4096}) == Catch::Approx(5000 + 0.003 * 4096 + 2 * 64).epsilon(1e-4));
}

TEST_CASE("a fitted profile reaches peers as the worst pair of GPUs does") {
  Document document = measured(points_of(5000, 0.003, 2));
  const auto access_of = [&](const std::string& pair) {
    document.machine.facts = {{"gpu0_to_gpu1", "access, native atomics, performance rank 0"},
                              {"gpu1_to_gpu0", pair}};
    const std::string text = profile_text(document, fit_costs(document), "a test");
    return read_machine_profile({.name = "fitted", .origin = "fitted.toml", .text = text}).peer_access;
  };
  CHECK(access_of("access, native atomics, performance rank 0") == PeerAccess::nvlink);
  CHECK(access_of("access, no native atomics, performance rank 1") == PeerAccess::pcie);
  CHECK(access_of("no access") == PeerAccess::staged);
}

TEST_CASE("a fit writes what was measured, each from its own place, and nothing else") {
  Document document = measured(points_of(5000, 0.003, 2));
  document.machine.facts = {
      {"gpu0_name", "NVIDIA H200"},        {"gpu0_memory", "140 GiB"},
      {"gpu0_link", "NVLink 4, 18 links"}, {"gpu0_memory_clock_max_mhz", "3201"},
      {"gpu1_name", "NVIDIA H200"},        {"gpu1_memory", "139 GiB"},
      {"gpu1_link", "NVLink 4, 18 links"}, {"gpu0_to_gpu1", "access, native atomics, performance rank 0"}};
  const auto fitted = [&] {
    return read_machine_profile({.name = "fitted",
                                 .origin = "fitted.toml",
                                 .text = profile_text(document, fit_costs(document), "a test")});
  };
  const MachineProfile machine = fitted();
  CHECK(machine.bandwidth_gbps == 20);
  CHECK(machine.one_way_latency_ns == 150);
  CHECK(machine.read_gbps == 0);
  CHECK(machine.local_bandwidth_gbps == 0);
  CHECK(machine.memory_gib == 139);
  CHECK(machine.gpu == "NVIDIA H200");
  CHECK(machine.link == "NVLink 4, 18 links");
  CHECK(machine.peer_access == PeerAccess::nvlink);
  document.machine.facts = {{"memory", "252 GiB"}, {"gpu0_memory", "a lot"}};
  CHECK(fitted().memory_gib == 0);
  CHECK(fitted().gpu.empty());
  CHECK_FALSE(fitted().peer_access);
}

TEST_CASE("a link whose bandwidth was not measured gives no profile") {
  Document document = measured(points_of(5000, 0.003, 2));
  for (LinkMeasurement& link : document.links) link.bandwidth_gbps.reset();
  CHECK_THROWS_WITH(profile_text(document, fit_costs(document), "a test"),
                    "it has no measurement of the links' latency and bandwidth, which a profile begins with");
}

TEST_CASE("a Document without a measured row can't be fitted") {
  CHECK_THROWS_AS(fit_costs(Document{}), UsageError);
}
