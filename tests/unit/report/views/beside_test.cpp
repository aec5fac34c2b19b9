#include "report/views/beside.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

// The cells of a line, joined by "|".
std::string line(const TitledGrid& grid, std::size_t y) {
  std::string text;
  for (const GridColumn& column : grid.columns) text += column.cells.at(y).text + '|';
  return text;
}

std::vector<NamedDocument> named(const std::vector<const Document*>& documents) {
  std::vector<NamedDocument> all;
  for (const Document* document : documents)
    all.push_back({std::string(1, static_cast<char>('a' + all.size())), document});
  return all;
}

}  // namespace

TEST_CASE("Times of two results stand beside one another with their ratio") {
  SampleDocument a, b;
  a.timed("ring", 2_KiB, 2);
  a.timed("tree", 2_KiB, 1);
  b.timed("ring", 2_KiB, 2.2);
  b.timed("custom", 4_KiB, 3, 0.2);
  const std::vector<TitledGrid> grids = beside(named({&a.document, &b.document}));
  REQUIRE(grids.size() == 2);
  CHECK(line(grids[0], 1).starts_with("b|probe-comm|2026-03-01T12:00:00Z|0.1.0 (4be1c2f)|2 cores AMD EPYC"));
  CHECK(grids[1].title == "allreduce bf16 eager, 2 ranks on host: us per call (median, slowest rank)");
  CHECK(line(grids[1], 0) == "2K|ring|2.00|2.20|1.100|");
  CHECK(line(grids[1], 1) == "2K|tree|1.00|-||");
  CHECK(line(grids[1], 2) == "4K|custom|-|3.00 ±20%||");
  CHECK(grids[1].columns.front().cells.size() == 3);
}

TEST_CASE("Blocks that only one result has are shown too") {
  SampleDocument a, b;
  a.timed("ring", 2_KiB, 2);
  b.params.mode = Mode::graph;
  b.timed("ring", 2_KiB, 2);
  const std::vector<TitledGrid> grids = beside(named({&a.document, &b.document}));
  REQUIRE(grids.size() == 3);
  CHECK(line(grids[1], 0) == "2K|ring|2.00|-||");
  CHECK(line(grids[2], 0) == "2K|ring|-|2.00||");
}

TEST_CASE("Where machines differ is said, free memory aside") {
  SampleDocument a, b;
  a.document.machine.facts = {{"driver", "580"}, {"cpu", "x"}, {"memory_available", "1 GiB"}};
  b.document.machine.facts = {{"driver", "590"}, {"cpu", "x"}, {"memory_available", "2 GiB"}};
  CHECK(beside(named({&a.document, &b.document}))[0].note == "the machines differ: driver 580 / 590");
  b.document.machine.facts[0].second = "580";
  CHECK(beside(named({&a.document, &b.document}))[0].note.empty());
}

TEST_CASE("Candidates, outcomes and troubles of several results get tables of their own") {
  Document spec, trace;
  SpecCandidate candidate;
  candidate.strategy = "custom";
  candidate.layout = "tp";
  candidate.tokens_s = 150;
  spec.spec.emplace().candidates.push_back(candidate);
  spec.spec->recommendation = "take it";
  trace.trace.emplace().outcome = "pass";
  trace.findings.push_back({"k", Severity::warning, "", "look out", {}, ""});
  const std::vector<TitledGrid> grids = beside(named({&spec, &trace}));
  REQUIRE(grids.size() == 4);
  CHECK(line(grids[1], 0) == "custom|tp|graph|150|-|");
  CHECK(line(grids[2], 0) == "a|take it||");
  CHECK(line(grids[2], 1) == "b|pass||");
  CHECK(line(grids[3], 0) == "b|warning|look out|");
}

TEST_CASE("Names of results are as short as they can be told apart") {
  const auto names = [](const std::vector<std::string>& paths) { return short_names(paths); };
  using Names = std::vector<std::string>;
  CHECK(names({"x/a.json", "y/b.json"}) == Names{"a.json", "b.json"});
  CHECK(names({"x/a.json", "y/a.json"}) == Names{"x/a.json", "y/a.json"});
  CHECK(names({"a.json", "y/a.json"}) == Names{"a.json", "y/a.json"});
  CHECK(names({"a.json", "a.json"}) == Names{"a.json", "a.json (2)"});
  CHECK(names({"-", "a.json"}) == Names{"-", "a.json"});
}

TEST_CASE("Table, Markdown and CSV take several results, other formats refuse them") {
  const Document a = host_sweep().document, b = troubled_sweep().document;
  for (const Writer* writer : all_writers()) {
    INFO(writer->name());
    const std::vector<NamedDocument> both = named({&a, &b});
    if (writer->takes_several()) {
      CHECK(writer->render_several(both, {}).ends_with('\n'));
    } else {
      CHECK_THROWS_AS(writer->render_several(both, {}), UsageError);
    }
  }
  const std::string csv = find_writer("csv")->render_several(named({&a, &b}), {});
  CHECK(csv.find(",winner,findings,floor_uncertainty_ns,channels,chosen_by,input,setting,result\n") !=
        std::string::npos);
  CHECK(static_cast<std::size_t>(std::ranges::count(csv, '\n')) == 1 + a.rows.size() + b.rows.size());
}
