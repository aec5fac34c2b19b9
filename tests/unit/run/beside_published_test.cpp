#include "run/beside_published.hpp"

#include <cmath>

#include "report/views/published.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

// A sweep on so many GPUs of this name, as measure() leaves it.
test::SampleDocument sweep_on(const std::string& gpu, int gpus = 8) {
  test::SampleDocument sample(DeviceKind::cuda, gpus);
  sample.params.mode = Mode::graph;
  SweepRequest& request = sample.document.request.emplace();
  request.device = DeviceKind::cuda;
  request.ranks = gpus;
  for (int i = 0; i < gpus; ++i)
    sample.document.machine.facts.emplace_back("gpu" + std::to_string(i) + "_name", gpu);
  sample.document.machine.facts.emplace_back("nccl", "2.28.9");
  return sample;
}

const Finding* finding_of(const Document& document) {
  return document.find("slower-than-published:nccl-auto bf16 graph");
}

std::size_t points_after(Document document) {
  set_beside_published(document);
  return document.published.empty() ? 0 : document.published.front().points.size();
}

}  // namespace

TEST_CASE("NCCL as it comes is set beside what is published for as many GPUs of the model") {
  test::SampleDocument sample = sweep_on("NVIDIA H200");
  sample.timed("nccl-auto", 16_KiB, 61);
  sample.timed("nccl-auto", 1_MiB, 26.14);
  set_beside_published(sample.document);
  REQUIRE(sample.document.published.size() == 1);
  const PublishedComparison& comparison = sample.document.published.front();
  REQUIRE(comparison.points.size() == 2);
  CHECK(comparison.points[0].published_ns == Catch::Approx(18300));
  CHECK(comparison.points[0].ratio() == Catch::Approx(3.33).epsilon(0.01));
  CHECK(
      published_line(comparison) ==
      "published for 8 x H200, NCCL 2.29.2: 18.3 us at 16K; here 61.0 us (nccl-auto, NCCL 2.28.9): 3.33 "
      "times "
      "as long; at 1 other size 1.00 times. Another server may be wired differently. Source: AIConfigurator "
      "095f58a51 of 2026-08-21");
}

TEST_CASE("beyond 1.5 times there is a finding with what this run knows of the usual reasons") {
  test::SampleDocument sample = sweep_on("NVIDIA H200");
  sample.document.environment = {{"NCCL_NVLS_ENABLE", "0"}, {"PATH", "/bin"}};
  sample.document.machine.facts.emplace_back("gpu3_other_processes", "4711");
  sample.document.machine.facts.emplace_back("gpu0_to_gpu1", "no access");
  sample.timed("nccl-auto", 16_KiB, 61).ran = "RING/SIMPLE";
  sample.timed("nccl-auto", 1_MiB, 26.14);
  set_beside_published(sample.document);
  const Finding* finding = finding_of(sample.document);
  REQUIRE(finding != nullptr);
  CHECK(finding->severity == Severity::warning);
  CHECK(finding->message ==
        "nccl-auto bf16 graph takes up to 3.33 times what is published for 8 x H200 (at 16K; beyond 1.5 "
        "times at 1 of 2 sizes)");
  CHECK(
      finding->evidence ==
      std::vector<std::string>{"16K: 61.0 us here (RING/SIMPLE), 18.3 us published: 3.33 times",
                               "published: NCCL 2.29.2, AIConfigurator 095f58a51 of 2026-08-21; here 2.28.9",
                               "set: NCCL_NVLS_ENABLE=0", "gpu3 runs other processes: 4711",
                               "gpu0_to_gpu1: no access to its memory"});
  CHECK_THAT(finding->remedy, ContainsSubstring("as far as the evidence does not name them"));
}

TEST_CASE("at 1.5 times and below, or when it is faster, there is no finding") {
  for (const double us : {1.0, 18.3, 27.4}) {
    test::SampleDocument sample = sweep_on("NVIDIA H200");
    sample.timed("nccl-auto", 16_KiB, us);
    set_beside_published(sample.document);
    CHECK(sample.document.published.size() == 1);
    CHECK(finding_of(sample.document) == nullptr);
  }
}

TEST_CASE("what was not measured in the way of the published times is not set beside them") {
  test::SampleDocument sample = sweep_on("NVIDIA H200");
  sample.timed("nccl-auto", 16_KiB, 61);
  REQUIRE(points_after(sample.document) == 1);
  const auto with = [&](auto change) {
    Document changed = sample.document;
    change(changed);
    return points_after(std::move(changed));
  };
  CHECK(with([](Document& d) { d.rows[0].origin = Origin::modelled; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].status = Status::failed; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].params.mode = Mode::eager; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].params.dtype = DType::fp32; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].params.entry = 1; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].params.strategy = "nccl-ring"; }) == 0);
  CHECK(with([](Document& d) { d.rows[0].params.bytes = {256}; }) == 0);
  CHECK(with([](Document& d) { d.request->device = DeviceKind::model; }) == 0);
  CHECK(with([](Document& d) { d.request->slowdowns = {{"all", 2}}; }) == 0);
  CHECK(with([](Document& d) { d.request->input = InputState::cold; }) == 0);
  CHECK(with([](Document& d) { d.request->ranks = 7; }) == 0);
  CHECK(with([](Document& d) { d.machine.facts[3].second = "NVIDIA H100 80GB HBM3"; }) == 0);
  CHECK(with([](Document& d) { d.request.reset(); }) == 0);
}

TEST_CASE("nothing is claimed for GPUs that the tables do not name") {
  test::SampleDocument sample = sweep_on("NVIDIA H200 NVL");
  sample.timed("nccl-auto", 16_KiB, 61);
  set_beside_published(sample.document);
  CHECK(sample.document.published.empty());
  CHECK(sample.document.findings.empty());
}

TEST_CASE("a size between two published ones says so") {
  test::SampleDocument sample = sweep_on("NVIDIA H200");
  sample.timed("nccl-auto", {14336}, 18);
  set_beside_published(sample.document);
  CHECK_THAT(published_line(sample.document.published.front()),
             ContainsSubstring("at 14K (between two sizes);"));
}

TEST_CASE("points of a result that are no numbers have no line") {
  PublishedComparison comparison;
  comparison.gpu = "H200";
  comparison.points = {{16_KiB, NAN, false, 61000}, {2_KiB, 1, false, NAN}};
  CHECK(published_line(comparison).empty());
  CHECK(published_line(PublishedComparison{}).empty());
}
