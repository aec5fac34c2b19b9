#pragma once

#include <string>
#include <string_view>

#include "report/views/blocks.hpp"

namespace ringside {

// The unit that all times of a block are shown in.
struct TimeUnit {
  std::string_view name = "us";
  double ns = 1e3;
};

// Microseconds, unless all times of the block are below one, or all are a millisecond or more.
TimeUnit time_unit(const SweepBlock& block);

// What a table says about one row. All parts but `value` may be empty.
struct CellText {
  std::string mark;  // "*" the winner, "=" tied
  std::string
      value;  // "1.83"; "~1.83" when it was not measured; or a word: "failed", "timeout", "skip", "wrong"
  std::string uncertainty;  // "±8%" of the median where that is large; "±?" where too few samples can tell
};

// `row` may be null: "-". `wrong` is said instead of `failed` when a Finding says that the data were wrong.
CellText cell_text(const Row* row, const TimeUnit& unit, Standing standing);

// Explains the symbols that the blocks use, in one line; empty when there are none.
std::string legend(const std::vector<SweepBlock>& blocks);

}  // namespace ringside
