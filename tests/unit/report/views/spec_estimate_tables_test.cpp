#include "report/views/spec_estimate_tables.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace ringside;

namespace {

SpecCell cell(int batch, int drafts, double speedup, bool best = false) {
  SpecCell made;
  made.batch = batch;
  made.context = 2048;
  made.drafts = drafts;
  made.tokens_s = SpecRange{100, 90, 110};
  if (drafts > 0) made.speedup = SpecRange{speedup, 0.9 * speedup, 1.1 * speedup};
  if (drafts > 0) made.pays = speedup > 1 ? 1.0 : 0.0;
  made.best = best;
  return made;
}

SpecEstimate estimate_of(std::vector<SpecCell> cells) {
  SpecEstimate estimate;
  estimate.batch = 8;
  estimate.drafts = 3;
  estimate.context = 2048;
  estimate.layout = "TP8";
  estimate.acceptance = "acceptance length 2.40 (measured)";
  estimate.table = std::move(cells);
  return estimate;
}

std::vector<std::string> column(const TitledGrid& table, const std::string& header) {
  const auto found = std::ranges::find_if(
      table.columns, [&](const GridColumn& one) { return one.header.front() == header; });
  std::vector<std::string> texts;
  if (found != table.columns.end()) {
    for (const GridCell& text : found->cells) texts.push_back(text.text);
  }
  return texts;
}

}  // namespace

TEST_CASE("titles carry batch, layout, drafts and acceptance") {
  CHECK(question_text(estimate_of({})) ==
        "3 drafts at batch 8, context 2K, TP8, acceptance length 2.40 (measured)");
  const auto tables = estimate_tables(estimate_of({cell(8, 0, 1), cell(8, 3, 0.8)}), false);
  REQUIRE(tables.size() == 1);
  CHECK(tables.front().title == "drafts at batch 8, context 2K, TP8, acceptance length 2.40 (measured)");
}

TEST_CASE(
    "one batch has a line for each number of drafts, a measured one says so and is not sure by a model") {
  std::vector<SpecCell> cells = {cell(8, 0, 1, true), cell(8, 2, 1.2), cell(8, 3, 0.8)};
  cells[2].measured = true;
  const TitledGrid table = estimate_tables(estimate_of(cells), false).front();
  CHECK(column(table, "drafts") == std::vector<std::string>{"*0", "2", "3"});
  CHECK(column(table, "tok/s") == std::vector<std::string>{"~100", "~100", "100"});
  CHECK(column(table, "pays") == std::vector<std::string>{"-", "99 %", ""});
}

TEST_CASE("several batches have a line each, ten at most in a short answer") {
  std::vector<SpecCell> cells;
  for (int batch = 1; batch <= 12; ++batch) {
    cells.push_back(cell(batch, 0, 1));
    cells.push_back(cell(batch, 3, 1.3, true));
  }
  const TitledGrid brief = estimate_tables(estimate_of(cells), false).front();
  CHECK(column(brief, "batch").size() == 10);
  CHECK(brief.note == "2 more lines with --verbose");
  const auto all = estimate_tables(estimate_of(cells), true);
  CHECK(column(all[0], "batch").size() == 12);
  CHECK(column(all[1], "3").front() == "*1.30");
}

TEST_CASE("without a model observations stand by themselves") {
  SpecEstimate estimate = estimate_of({});
  SpecObserved observed;
  observed.source = "plain.log";
  observed.tokens_s = 455;
  estimate.observations = {observed, observed};
  CHECK(estimate_tables(estimate, false).front().title == "measured");
  CHECK(column(estimate_tables(estimate, false).front(), "model").empty());
  estimate.plain_tokens_s = SpecRange{450, 400, 500};
  CHECK(column(estimate_tables(estimate, false).front(), "model").size() == 2);
}
