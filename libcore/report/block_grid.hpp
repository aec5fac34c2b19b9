#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/grid.hpp"
#include "report/sweep_view.hpp"

namespace ringside {

// A block as a text table of at most `width` columns: sizes down, entries across, then the verdict, the bus
// bandwidth of the best and how near it comes to the floor. Where that is too wide, what the marks in the
// cells repeat is left out first, then names are broken, and at last the entries are spread over several
// tables; nothing is dropped unsaid.
std::string render_block(const SweepBlock& block, std::size_t width, const Ansi& ansi);

}  // namespace ringside
