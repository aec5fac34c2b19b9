#include "report/views/spec_tables.hpp"

#include <algorithm>

#include "report/render/text_grid.hpp"

#include "support/catch.hpp"

using namespace ringside;

namespace {

SpecCandidate candidate(const std::string& strategy, const std::string& layout, Mode mode = Mode::graph) {
  SpecCandidate made;
  made.strategy = strategy;
  made.layout = layout;
  made.mode = mode;
  return made;
}

TitledGrid table_of(std::vector<SpecCandidate> candidates) {
  SpecResult result;
  result.model = "Kimi-K2.5";
  result.candidates = std::move(candidates);
  return spec_tables(result, false).front();
}

std::vector<std::string> heads(const TitledGrid& table) {
  std::vector<std::string> names;
  for (const GridColumn& column : table.columns) names.push_back(column.header.front());
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("a layout and a mode that all candidates share stand in the title") {
  const TitledGrid table = table_of({candidate("custom", "tp"), candidate("nccl-ring", "tp")});
  CHECK_FALSE(contains(heads(table), "layout"));
  CHECK_FALSE(contains(heads(table), "mode"));
  CHECK(table.title.find("; tp, graph") != std::string::npos);
}

TEST_CASE("layouts and modes that differ have columns of their own") {
  const TitledGrid layouts = table_of({candidate("custom", "tp"), candidate("custom + direct", "tp+ep")});
  CHECK(contains(heads(layouts), "layout"));
  CHECK_FALSE(contains(heads(layouts), "mode"));
  CHECK(layouts.title.find("; graph") != std::string::npos);
  const TitledGrid modes = table_of({candidate("custom", "tp"), candidate("custom", "tp", Mode::eager)});
  CHECK(contains(heads(modes), "mode"));
  CHECK(modes.title.find("; tp") != std::string::npos);
}

TEST_CASE("the table of eight candidates fits a terminal of 100 columns") {
  std::vector<SpecCandidate> candidates(7, candidate("custom-two-shot:pdl", "tp"));
  candidates.push_back(candidate("custom + nccl-alltoall:call", "tp+ep"));
  CHECK(grid_width(wrap_columns(table_of(candidates).columns, 100)) <= 100);
}

TEST_CASE("one slower candidate is told in the singular") {
  const std::vector<SpecCandidate> five(5, candidate("custom", "tp"));
  CHECK(table_of(five).note.find("; 1 slower one with --verbose") != std::string::npos);
}

TEST_CASE("weights that leave nothing free fit with no memory fraction") {
  SpecResult result;
  SpecMemory memory;
  memory.layout = "tp";
  memory.free_bytes = -1;
  memory.kv_pool_bytes = -2;
  memory.least_fraction = 1;
  result.memory = {memory};
  const TitledGrid table = spec_tables(result, false).back();
  CHECK(table.columns.back().cells.front().text == "does not fit");
}
