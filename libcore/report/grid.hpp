#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ringside {

// Tables as plain data, apart from how they are drawn.

// What a text is, not how it looks: colour never says more than the words and symbols do.
enum class Style { plain, heading, faint, winner, tied, error, warning, note };

enum class Align { left, right };

struct GridCell {
  std::string text;  // one line
  Style style = Style::plain;
};

// All columns of a table have the same number of cells.
struct GridColumn {
  std::vector<std::string> header;  // one or more lines
  Align align = Align::right;
  std::vector<GridCell> cells;
};

// A table with its title.
struct TitledGrid {
  std::string title;
  std::vector<GridColumn> columns;
  std::string note = {};  // below it; may be empty
  bool whole = false;     // every case with all its numbers: formats may scroll it

  bool empty() const { return columns.empty() || columns.front().cells.empty(); }
};

// Columns that are filled line by line.
class GridLines {
 public:
  void add(std::vector<std::string> header, Align align = Align::right) {
    columns_.push_back({std::move(header), align, {}});
  }
  // One text for each column.
  void line(std::vector<std::string> cells, Style style = Style::plain) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      columns_[i].cells.push_back({std::move(cells[i]), style});
  }
  std::vector<GridColumn> take() { return std::move(columns_); }

 private:
  std::vector<GridColumn> columns_;
};

}  // namespace ringside
