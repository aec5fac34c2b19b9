// The formats of tools that follow numbers over time.
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "report/views/benchmarks.hpp"
#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

using Json = nlohmann::json;

Json rendered(const char* writer, const Document& document) {
  return Json::parse(find_writer(writer)->render(document, {}));
}

Document spec_document() {
  Document document;
  SpecCandidate candidate;
  candidate.strategy = "custom";
  candidate.layout = "tp";
  candidate.step_ns = 12.5e6;
  candidate.tokens_s = 150;
  document.spec.emplace().candidates.push_back(candidate);
  return document;
}

}  // namespace

TEST_CASE("github-action-benchmark gets name, unit, value and range of every case with a time") {
  const Json entries = rendered("gab", troubled_sweep().document);
  REQUIRE(entries.size() == 5);  // of 12, and the number of those that failed
  CHECK(entries[0]["name"] == "allreduce/host/2 ranks/bf16/eager/custom/2K");
  CHECK(entries[0]["unit"] == "ns");
  CHECK(entries[0]["value"] == 380);
  CHECK_FALSE(entries[0].contains("range"));  // too few samples for one
  CHECK(entries[1]["range"] == "± 19");
}

TEST_CASE("Bencher gets latency with its interval and bus bandwidth of every case with a time") {
  const Json benchmarks = rendered("bmf", host_sweep().document);
  CHECK(benchmarks.size() == 25);
  const Json& ring = benchmarks.at("allreduce/host/2 ranks/bf16/eager/ring/2K");
  CHECK(ring["latency"] == Json({{"value", 1831.0}, {"lower_value", 1813.0}, {"upper_value", 1849.0}}));
  CHECK(ring["bus-bandwidth-gbps"]["value"].get<double>() > 1);
}

TEST_CASE("Trackers see a rise of the cases that failed or were lost") {
  const auto failed = [](const Document& document) { return rendered("gab", document).back(); };
  CHECK(failed(host_sweep().document)["value"] == 0);
  const Json lost = failed(troubled_sweep().document);
  CHECK(lost["name"] == "probe-comm/failed cases");
  CHECK(lost["value"].get<int>() >= 3);
  CHECK(lost["extra"].get<std::string>().find("timed out") != std::string::npos);
  CHECK(rendered("bmf", troubled_sweep().document)["probe-comm/failed cases"]["failed-cases"]["value"] ==
        lost["value"]);
  CHECK(failed(sample_comparison())["value"] == 1);
}

TEST_CASE("What a comparison is made of is told with the launches that were compared") {
  const std::string extra = rendered("gab", sample_comparison())[0]["extra"];
  CHECK(extra == "120 samples, 5 launches, measured");
  const std::string csv = find_writer("csv")->render(sample_comparison(), {});
  CHECK(csv.find(",120,5,") != std::string::npos);
}

TEST_CASE("Trackers get the steps of run-spec's candidates") {
  CHECK(rendered("gab", spec_document())[0]["value"] == 12.5);
  CHECK(rendered("bmf", spec_document())["run-spec/custom/tp/graph"]["tokens-per-second"]["value"] == 150);
}

TEST_CASE("What is no number never reaches a tracker") {
  SampleDocument sample;
  Row& row = sample.timed("ring", 2_KiB, 1);
  row.busbw_gbps = std::numeric_limits<double>::infinity();
  row.time->interval95_ns = Interval{std::numeric_limits<double>::quiet_NaN(), 2};
  CHECK(find_writer("bmf")->render(sample.document, {}).find("null") == std::string::npos);
  CHECK(find_writer("gab")->render(sample.document, {}).find("nan") == std::string::npos);
}

TEST_CASE("Benchmark names are different for all that differs in a case") {
  std::set<std::string> names;
  Case params = SampleDocument().params;
  const auto add = [&] { names.insert(benchmark_name(params)); };
  add();
  params.ranks = 4;
  add();
  params.mode = Mode::graph;
  add();
  params.dtype = DType::fp32;
  add();
  params.bytes = 4_KiB;
  add();
  params.entry = 1;
  add();
  params.collective = Collective::alltoall;
  add();
  params.device = DeviceKind::cuda;
  add();
  CHECK(names.size() == 8);
}
