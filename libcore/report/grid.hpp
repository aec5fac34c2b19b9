#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
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

// A table with its title, for every writer that shows tables.
struct TitledGrid {
  std::string title;
  std::vector<GridColumn> columns;
  std::string note;  // below it; may be empty

  bool empty() const { return columns.empty() || columns.front().cells.empty(); }
};

// Columns that are filled line by line.
class GridLines {
 public:
  void add(std::vector<std::string> header, Align align = Align::right);
  // One text for each column.
  void line(std::vector<std::string> cells, Style style = Style::plain);
  std::vector<GridColumn> take() { return std::move(columns_); }

 private:
  std::vector<GridColumn> columns_;
};

// Columns of the terminal that the column, or a table of them, takes.
std::size_t grid_width(const GridColumn& column);
std::size_t grid_width(std::span<const GridColumn> columns);

// The columns with the texts of the last one, and where that isn't enough of the first one, broken into
// several lines, where the table would be wider than `width`. Columns that stand at the right, and narrow
// ones, stay.
std::vector<GridColumn> wrap_columns(std::vector<GridColumn> columns, std::size_t width);

// Headers stand on the bottom of the head; columns are two blanks apart; no line ends in blanks.
std::string render_grid(std::span<const GridColumn> columns, const Ansi& ansi);

}  // namespace ringside
