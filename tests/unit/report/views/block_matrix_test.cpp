#include "report/views/block_matrix.hpp"

#include <algorithm>

#include "report/views/row_table.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

SampleDocument graph_sweep() {
  SampleDocument sample(DeviceKind::cuda);
  sample.params.mode = Mode::graph;
  sample.timed("custom", 2_KiB, 2).floor_ns = 800;
  sample.document.links = {
      {.bytes = 2_KiB, .one_way_latency_ns = 550, .node_gap_ns = 500, .bandwidth_gbps = 390},
      {.bytes = 4_KiB, .one_way_latency_ns = 550, .node_gap_ns = 510, .bandwidth_gbps = 390}};
  return sample;
}

std::vector<std::string> legends(const Document& document) {
  std::vector<Section> sections;
  add_block_matrices(document, sweep_blocks(document), sections);
  std::vector<std::string> texts;
  for (const Section& section : sections) {
    if (const auto* legend = std::get_if<Legend>(&section.part)) texts.push_back(legend->text);
  }
  return texts;
}

std::string last_cell(const Document& document, const std::string& header) {
  const TitledGrid grid = row_table(document);
  for (const GridColumn& column : grid.columns) {
    if (column.header == std::vector{header}) return column.cells.back().text;
  }
  return "no such column";
}

}  // namespace

TEST_CASE("the node gap stands beside the floor, and only where graphs were measured") {
  SampleDocument sample = graph_sweep();
  CHECK(legends(sample.document) ==
        std::vector<std::string>{"floor: without the gap between two nodes of a graph, 500 ns"});
  CHECK(last_cell(sample.document, "node gap us") == "0.500");
  for (Row& row : sample.document.rows) row.params.mode = Mode::eager;
  CHECK(legends(sample.document).empty());
  CHECK(last_cell(sample.document, "node gap us").empty());
}

TEST_CASE("a matrix without floors says why they are not known") {
  SampleDocument sample = graph_sweep();
  sample.document.rows[0].floor_ns.reset();
  sample.document.findings.push_back({.kind = finding_kind("floor-unknown"),
                                      .severity = Severity::note,
                                      .subject = "floor",
                                      .message = "floor not known: no peer access",
                                      .evidence = {},
                                      .remedy = ""});
  CHECK(legends(sample.document) == std::vector<std::string>{"floor not known: no peer access"});
}
