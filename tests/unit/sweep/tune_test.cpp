#include "sweep/tune.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

Row measured(const std::string& strategy, Bytes bytes, double median_ns, Mode mode = Mode::graph) {
  Row row;
  row.params.strategy = strategy;
  row.params.bytes = bytes;
  row.params.mode = mode;
  row.params.ranks = 2;
  row.time.emplace().median_ns = median_ns;
  return row;
}

SweepRequest tuning_request() {
  SweepRequest request;
  request.device = DeviceKind::cuda;
  request.first().modes = {Mode::graph};
  request.gpus = {"GPU-a", "GPU-b"};
  request_tuning(request, false);
  return request;
}

}  // namespace

TEST_CASE("the table takes the fastest candidate at each size and no other strategy") {
  Document document;
  document.started = "2026-03-01T12:00:00Z";
  document.rows = {measured("custom-push", 2_KiB, 2000),    measured("custom-push-ll", 2_KiB, 1800),
                   measured("nccl-auto", 2_KiB, 100),       measured("custom-push", 8_KiB, 2200),
                   measured("custom-push-ll", 8_KiB, 2500), measured("custom-push", 8_KiB, 1, Mode::eager)};
  const CustomTable table = tuned_table(document, tuning_request());
  CHECK(table.gpus == std::vector<std::string>{"GPU-a", "GPU-b"});
  CHECK(table.measured == "2026-03-01T12:00:00Z");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 4_KiB) == "custom-push-ll");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, {4097}) == "custom-push");
}

TEST_CASE("a strategy keeps the next size when it is slower there by no more than a percent") {
  Document document;
  document.rows = {measured("custom-push", 2_KiB, 2000), measured("custom-push-ll", 2_KiB, 2100),
                   measured("custom-push", 4_KiB, 2110), measured("custom-push-ll", 4_KiB, 2100),
                   measured("custom-push", 8_KiB, 2200), measured("custom-push-ll", 8_KiB, 2100)};
  const CustomTable table = tuned_table(document, tuning_request());
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 4_KiB) == "custom-push");
  CHECK(choose_custom(table, PeerAccess::nvlink, Mode::graph, 2, 8_KiB) == "custom-push-ll");
}

TEST_CASE("nothing measured is no table, and other devices than cuda have none") {
  CHECK_THROWS_AS(tuned_table(Document{}, tuning_request()), EnvironmentError);
  SweepRequest request;
  CHECK_THROWS_AS(request_tuning(request, false), UsageError);
}

TEST_CASE("tuning times what custom may stand for unless strategies were named") {
  CHECK(tuning_request().first().strategies.size() == std::size(kCustomCandidates));
  SweepRequest request;
  request.device = DeviceKind::cuda;
  request.first().strategies = {"custom-push"};
  request_tuning(request, true);
  CHECK(request.first().strategies == std::vector<std::string>{"custom-push"});
}
