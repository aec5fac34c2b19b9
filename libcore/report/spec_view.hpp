#pragma once

#include <string>
#include <vector>

#include "model/spec_result.hpp"
#include "report/grid.hpp"

namespace ringside {

// One table of run-spec's answer, for every writer that shows tables.
struct SpecTable {
  std::string title;
  std::vector<GridColumn> columns;
  std::string note;  // below it; may be empty
};

// Candidates (the best ones, or with `all` every one), replayed steps, memory, explanations; and with `all`
// the inputs. Numbers that were not measured have a mark: ~ modelled, r reported, a assumed.
std::vector<SpecTable> spec_tables(const SpecResult& result, bool all);

}  // namespace ringside
