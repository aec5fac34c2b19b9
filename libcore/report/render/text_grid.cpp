#include "report/render/text_grid.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/render/wrap.hpp"

namespace ringside {
namespace {

constexpr std::size_t kGap = 2;

// Collects one line; blanks are written only when something follows them.
class Line {
 public:
  void add(const GridCell& cell, Align align, std::size_t width, const Ansi& ansi) {
    const std::size_t slack = width - display_width(cell.text);
    if (align == Align::right) blanks_ += slack;
    if (!cell.text.empty()) text_.append(blanks_, ' ').append(ansi.paint(cell.style, cell.text));
    if (!cell.text.empty()) blanks_ = 0;
    if (align == Align::left) blanks_ += slack;
    blanks_ += kGap;
  }
  std::string end() const { return line_start(text_) + '\n'; }

 private:
  std::string text_;
  std::size_t blanks_ = 0;
};

// Column `x` broken into lines, so that the table is no wider than `width`; the others are blank beside the
// added lines.
std::vector<GridColumn> wrap_column(std::vector<GridColumn> columns, std::size_t x, std::size_t width) {
  constexpr std::size_t kNarrowest = 18;
  const std::size_t whole = grid_width(columns);
  const std::size_t others = whole - grid_width(columns[x]);
  if (whole <= width || columns[x].align != Align::left || others + kNarrowest > width) return columns;
  std::vector<GridColumn> wrapped;
  for (const GridColumn& column : columns) wrapped.push_back({column.header, column.align, {}});
  for (std::size_t y = 0; y < columns[x].cells.size(); ++y) {
    const GridCell& cell = columns[x].cells[y];
    std::vector<std::string> lines = split(wrap("", cell.text, width - others), '\n');
    lines.pop_back();  // what follows the last newline
    if (lines.empty()) lines.emplace_back();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t other = 0; other < columns.size(); ++other)
        wrapped[other].cells.push_back(i == 0 ? columns[other].cells[y] : GridCell{"", Style::plain});
      wrapped[x].cells.back() = {lines[i], cell.style};
    }
  }
  return wrapped;
}

}  // namespace

std::size_t grid_width(const GridColumn& column) {
  std::size_t width = 0;
  for (const std::string& line : column.header) width = std::max(width, display_width(line));
  for (const GridCell& cell : column.cells) width = std::max(width, display_width(cell.text));
  return width;
}

std::size_t grid_width(std::span<const GridColumn> columns) {
  std::size_t width = 0;
  for (const GridColumn& column : columns) width += grid_width(column) + kGap;
  return columns.empty() ? 0 : width - kGap;
}

std::vector<GridColumn> wrap_columns(std::vector<GridColumn> columns, std::size_t width) {
  if (columns.empty()) return columns;
  const std::size_t last = columns.size() - 1;
  return wrap_column(wrap_column(std::move(columns), last, width), 0, width);
}

std::string render_grid(std::span<const GridColumn> given, const Ansi& ansi) {
  std::vector<GridColumn> columns(given.begin(), given.end());
  for (GridColumn& column : columns) {
    for (std::string& line : column.header) line = printable(line);
    for (GridCell& cell : column.cells) cell.text = printable(cell.text);
  }
  std::size_t head = 0;
  std::vector<std::size_t> widths;
  for (const GridColumn& column : columns) {
    head = std::max(head, column.header.size());
    widths.push_back(grid_width(column));
  }
  std::string text;
  for (std::size_t y = 0; y < head; ++y) {
    Line line;
    for (std::size_t x = 0; x < columns.size(); ++x) {
      const std::size_t empty = head - columns[x].header.size();
      line.add({y < empty ? "" : columns[x].header[y - empty], Style::heading}, columns[x].align, widths[x],
               ansi);
    }
    text += line.end();
  }
  const std::size_t height = columns.empty() ? 0 : columns.front().cells.size();
  for (std::size_t y = 0; y < height; ++y) {
    Line line;
    for (std::size_t x = 0; x < columns.size(); ++x)
      line.add(columns[x].cells[y], columns[x].align, widths[x], ansi);
    text += line.end();
  }
  return text;
}

}  // namespace ringside
