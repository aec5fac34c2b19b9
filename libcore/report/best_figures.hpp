#pragma once

#include <string>
#include <vector>

#include "report/sweep_view.hpp"

namespace ringside {

// A column of a table about the best row of each size.
struct BestFigure {
  std::vector<std::string> header;  // lines: {"busbw", "GB/s"}
  std::vector<std::string>
      texts;  // one for each line of the block; empty where the best row lacks the number
};

// Bus bandwidth, and the part of the floor that is reached; each only when some row has it.
std::vector<BestFigure> best_figures(const SweepBlock& block);

}  // namespace ringside
