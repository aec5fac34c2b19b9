#pragma once

#include <string>
#include <vector>

#include "model/spec_result.hpp"
#include "report/grid.hpp"

namespace ringside {

// Candidates (the best ones, or with `all` every one), replayed steps, memory, explanations; and with `all`
// the inputs. Numbers that were not measured have a mark: ~ modelled, r reported, a assumed.
std::vector<TitledGrid> spec_tables(const SpecResult& result, bool all);

}  // namespace ringside
