#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/ansi.hpp"

namespace ringside {

enum class Align { left, right };

struct GridCell {
  std::string text;  // one line
  Style style = Style::plain;
};

// A column of a text table. All columns of a table have the same number of cells.
struct GridColumn {
  std::vector<std::string> header;  // one or more lines
  Align align = Align::right;
  std::vector<GridCell> cells;
};

// Columns of the terminal that the column, or a table of them, takes.
std::size_t grid_width(const GridColumn& column);
std::size_t grid_width(std::span<const GridColumn> columns);

// Headers stand on the bottom of the head; columns are two blanks apart; no line ends in blanks.
std::string render_grid(std::span<const GridColumn> columns, const Ansi& ansi);

}  // namespace ringside
