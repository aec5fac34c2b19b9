#include "report/views/figures.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::vector<Figure> figures(const Document& document) {
  const NamedDocument alone{"", &document};
  return sweep_figures({&alone, 1});
}

const FigureSeries& series(const Figure& figure, const std::string& name) {
  const auto found = std::ranges::find(figure.series, name, &FigureSeries::name);
  REQUIRE(found != figure.series.end());
  return *found;
}

}  // namespace

TEST_CASE("A block gives latency with intervals, bus bandwidth, and the ratio to the best of each size") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 2, 0.1).floor_ns = 500;
  sample.timed("tree", 2_KiB, 1);
  sample.timed("ring", 4_KiB, 1);
  sample.document.links = {{.bytes = 4_KiB, .bandwidth_gbps = 25}};
  const std::vector<Figure> all = figures(sample.document);
  REQUIRE(all.size() == 3);
  CHECK(all[0].title == "latency");
  REQUIRE(series(all[0], "ring").points.size() == 2);
  CHECK(series(all[0], "ring").points[0].y == 2000);
  CHECK(series(all[0], "ring").points[0].interval->high == 2200);
  CHECK(series(all[0], "floor").limit);
  CHECK(series(all[0], "floor").points[0].y == 500);
  CHECK(series(all[1], "link").points[0].y ==
        Catch::Approx(2048.0 / 500));  // from the floor, where no link was measured
  CHECK(series(all[1], "link").points[1].y == 25);
  CHECK(series(all[2], "ring").points[0].y == 2);
  CHECK(series(all[2], "tree").points[0].y == 1);
}

TEST_CASE("Rows without a time are not drawn") {
  SampleDocument sample = troubled_sweep();
  for (const Figure& figure : figures(sample.document)) {
    for (const FigureSeries& one : figure.series) CHECK(one.name != "nvls");
  }
  CHECK(figures(Document{}).empty());
}

TEST_CASE("Of many strategies the best of each family stand out, and NCCL's own choice with them") {
  SampleDocument sample;
  for (int i = 0; i < 20; ++i) sample.timed("custom:" + std::to_string(i), 2_KiB, 1 + i);
  sample.timed("ring", 2_KiB, 300);
  sample.timed("nccl-auto", 2_KiB, 900);
  const Figure latency = figures(sample.document).front();
  const auto prominent = std::ranges::count(latency.series, true, &FigureSeries::prominent);
  CHECK(prominent == static_cast<std::ptrdiff_t>(kProminent));
  CHECK(series(latency, "ring").prominent);
  CHECK(series(latency, "nccl-auto").prominent);
  CHECK(series(latency, "custom:0").prominent);
  CHECK_FALSE(series(latency, "custom:19").prominent);
}

TEST_CASE("What was measured in both modes is drawn as the ratio of eager to graph") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 6);
  sample.params.mode = Mode::graph;
  sample.timed("ring", 2_KiB, 2);
  sample.timed("tree", 2_KiB, 2);
  const std::vector<Figure> all = figures(sample.document);
  REQUIRE(all.size() == 7);
  REQUIRE(all.back().title == "eager against graph");
  REQUIRE(all.back().series.size() == 1);
  CHECK(all.back().series[0].points[0].y == 3);
}

TEST_CASE("Several results share a figure, with their names before the strategies'") {
  SampleDocument a, b;
  a.timed("ring", 2_KiB, 2);
  b.timed("ring", 2_KiB, 1);
  const NamedDocument both[] = {{"a", &a.document}, {"b", &b.document}};
  const std::vector<Figure> all = sweep_figures(both);
  REQUIRE(all.size() == 3);
  CHECK(series(all[2], "a: ring").points[0].y == 2);
  CHECK(series(all[2], "b: ring").points[0].y == 1);
}

TEST_CASE("A curve of run-spec breaks even where it crosses the plain server of its own strategy") {
  SpecResult spec;
  SpecCandidate candidate;
  candidate.strategy = "custom";
  candidate.tokens_s = 80;
  candidate.plain_tokens_s = 50;
  spec.candidates = {candidate};
  spec.curves = {{"custom", "graph", "acceptance_length", "tokens_s", {{1, 25}, {2, 50}, {3, 75}}},
                 {"nobody", "graph", "acceptance_length", "tokens_s", {{1, 25}}}};
  const std::vector<Figure> all = spec_figures(spec);
  REQUIRE(all.size() == 1);
  CHECK(series(all[0], "break-even").points.back().y == 1);
  CHECK(series(all[0], "custom graph").points[1].y == 1);
  CHECK(all[0].series.size() == 2);
}

TEST_CASE("The figure of a comparison has ratios with their intervals between the thresholds of each size") {
  const std::vector<Figure> figures = comparison_figures(sample_comparison());
  REQUIRE(figures.size() == 1);
  const std::vector<FigureSeries>& series = figures[0].series;
  REQUIRE(series.size() == 3);  // a strategy without any ratio has no curve
  CHECK(series[0].name == "ring");
  REQUIRE(series[0].points.size() == 4);
  CHECK(series[0].points[1].x == 4096);
  CHECK(series[0].points[1].y == Catch::Approx(1.121));
  CHECK(series[0].points[1].interval.has_value());
  CHECK(series[1].points[0].y == Catch::Approx(1.03));
  CHECK(series[2].points[0].y == Catch::Approx(1 / 1.03));
}

TEST_CASE("Across machines the figure of a comparison has no threshold: nothing is judged") {
  Document document = sample_comparison();
  document.comparison->judged = false;
  CHECK(comparison_figures(document).at(0).series.size() == 1);
}
