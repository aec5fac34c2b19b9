#include "report/render/text_grid.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace ringside {
namespace {

// How much room a table takes, from ample to tight.
struct Density {
  bool tie_names;    // "tie (custom, symmetric)" or "tie": the cells carry a = as well
  bool whole_names;  // "nccl-ring:ll128" on one line or broken behind - and :
  bool winner_name;  // "custom, 1.32x" or "1.32x": the cell carries a * as well
  bool loose_aside;  // "18.3 ±8%" or "18.3±8%"
};
constexpr std::array kDensities = {Density{true, true, true, true}, Density{false, true, true, true},
                                   Density{false, false, true, true}, Density{false, false, false, true},
                                   Density{false, false, false, false}};

std::vector<std::string> break_name(const std::string& name, std::size_t width) {
  std::vector<std::string> lines = {""};
  std::string piece;
  for (std::size_t i = 0; i < name.size(); ++i) {
    piece += name[i];
    if (name[i] != '-' && name[i] != ':' && i + 1 < name.size()) continue;
    if (!lines.back().empty() && lines.back().size() + piece.size() > width) lines.emplace_back();
    lines.back() += std::exchange(piece, "");
  }
  return lines;
}

GridColumn candidate_column(const MatrixColumn& candidate, const Density& density) {
  std::size_t aside = 0;
  for (const MatrixCell& cell : candidate.cells) aside = std::max(aside, display_width(cell.aside));
  GridColumn column{.header = {}, .align = candidate.align, .cells = {}};
  for (const MatrixCell& cell : candidate.cells) {
    std::string text = cell.mark + cell.value;
    if (aside > 0) text += (density.loose_aside ? " " : "") + pad(cell.aside, aside);
    column.cells.push_back({std::move(text), cell.style});
  }
  column.header =
      density.whole_names ? candidate.header : break_name(join(candidate.header, ""), grid_width(column));
  return column;
}

GridColumn key_column(const Matrix& matrix) {
  GridColumn column{{matrix.key}, Align::right, {}};
  for (const std::string& key : matrix.keys) column.cells.push_back({key, Style::heading});
  return column;
}

GridColumn verdict_column(const MatrixColumn& verdicts, const Density& density) {
  GridColumn column{verdicts.header, verdicts.align, {}};
  for (const MatrixCell& cell : verdicts.cells) {
    const bool whole = cell.style == Style::winner ? density.winner_name : density.tie_names;
    column.cells.push_back({whole || cell.brief.empty() ? cell.value : cell.brief, cell.style});
  }
  return column;
}

std::vector<GridColumn> last_columns(const Matrix& matrix, const Density& density) {
  std::vector<GridColumn> columns;
  if (matrix.verdicts) columns.push_back(verdict_column(*matrix.verdicts, density));
  for (const MatrixColumn& best : matrix.best) {
    GridColumn& column = columns.emplace_back(GridColumn{best.header, best.align, {}});
    for (const MatrixCell& cell : best.cells) column.cells.push_back({cell.value.empty() ? "-" : cell.value});
  }
  return columns;
}

std::vector<GridColumn> candidate_columns(const Matrix& matrix, const Density& density) {
  std::vector<GridColumn> columns;
  for (const MatrixColumn& candidate : matrix.candidates)
    columns.push_back(candidate_column(candidate, density));
  return columns;
}

// Several tables under one another, each with the keys; the last has the verdicts.
std::string render_spread(const Matrix& matrix, std::size_t width, const Ansi& ansi) {
  constexpr Density ample{true, false, true, true}, tight{false, false, true, true};
  std::string text;
  std::vector<GridColumn> table = {key_column(matrix)};
  // Columns that must stay together; a new table is begun where they don't fit into this one.
  const auto add = [&](std::vector<GridColumn> columns) {
    const auto before = static_cast<std::ptrdiff_t>(table.size());
    std::ranges::move(columns, std::back_inserter(table));
    if (before == 1 || grid_width(table) <= width) return;
    std::vector<GridColumn> next = {key_column(matrix)};
    std::move(table.begin() + before, table.end(), std::back_inserter(next));
    table.resize(static_cast<std::size_t>(before));
    text += render_grid(table, ansi) + '\n';
    table = std::move(next);
  };
  for (GridColumn& column : candidate_columns(matrix, ample)) add({std::move(column)});
  std::vector<GridColumn> last = {key_column(matrix)};
  std::ranges::move(last_columns(matrix, ample), std::back_inserter(last));
  add(last_columns(matrix, grid_width(last) <= width ? ample : tight));
  return text + render_grid(table, ansi);
}

}  // namespace

std::string render_matrix(const Matrix& matrix, std::size_t width, const Ansi& ansi) {
  for (const Density& density : kDensities) {
    std::vector<GridColumn> table = {key_column(matrix)};
    std::ranges::move(candidate_columns(matrix, density), std::back_inserter(table));
    std::ranges::move(last_columns(matrix, density), std::back_inserter(table));
    if (grid_width(table) <= width) return render_grid(table, ansi);
  }
  return render_spread(matrix, width, ansi);
}

}  // namespace ringside
