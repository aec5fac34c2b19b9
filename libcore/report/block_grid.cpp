#include "report/block_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/best_figures.hpp"
#include "report/cell.hpp"

namespace ringside {
namespace {

// How much room a table takes, from ample to tight.
struct Density {
  bool tie_names;       // "tie (custom, symmetric)" or "tie": the cells carry a = as well
  bool whole_names;     // "nccl-ring:ll128" on one line or broken behind - and :
  bool winner_name;     // "custom, 1.32x" or "1.32x": the cell carries a * as well
  bool loose_interval;  // "18.3 ±8%" or "18.3±8%"
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

Style style_of(const Row* row, Standing standing) {
  if (row == nullptr || row->status == Status::skipped) return Style::faint;
  if (!has_result(row)) return Style::error;
  if (standing == Standing::winner) return Style::winner;
  return standing == Standing::tied ? Style::tied : Style::plain;
}

GridColumn entry_column(const SweepBlock& block, std::size_t entry, const TimeUnit& unit,
                        const Density& density) {
  std::vector<CellText> texts;
  std::size_t interval = 0;
  for (const SizeLine& line : block.lines) {
    texts.push_back(cell_text(line.rows[entry], unit, standing(line.verdict, block.entries[entry])));
    interval = std::max(interval, display_width(texts.back().uncertainty));
  }
  GridColumn column;
  for (std::size_t y = 0; y < texts.size(); ++y) {
    std::string text = texts[y].mark + texts[y].value;
    if (interval > 0) text += (density.loose_interval ? " " : "") + pad(texts[y].uncertainty, interval);
    column.cells.push_back(
        {std::move(text),
         style_of(block.lines[y].rows[entry], standing(block.lines[y].verdict, block.entries[entry]))});
  }
  column.header = density.whole_names ? std::vector{block.entries[entry]}
                                      : break_name(block.entries[entry], grid_width(column));
  return column;
}

GridColumn size_column(const SweepBlock& block) {
  GridColumn column{{"size"}, Align::right, {}};
  for (const SizeLine& line : block.lines) column.cells.push_back({format_size(line.bytes), Style::heading});
  return column;
}

GridColumn verdict_column(const SweepBlock& block, const Density& density) {
  GridColumn column{{"winner"}, Align::left, {}};
  for (const SizeLine& line : block.lines) {
    GridCell cell{verdict_text(line.verdict), Style::plain};
    if (line.verdict != nullptr && line.verdict->winner) {
      if (!density.winner_name) cell.text = format_three_digits(line.verdict->ratio) + "x";
      cell.style = Style::winner;
    } else if (line.verdict != nullptr && !line.verdict->tied.empty()) {
      if (!density.tie_names) cell.text = "tie";
      cell.style = Style::tied;
    }
    column.cells.push_back(std::move(cell));
  }
  return column;
}

std::vector<GridColumn> verdict_columns(const SweepBlock& block, const Density& density) {
  std::vector<GridColumn> columns;
  if (block.compared()) columns.push_back(verdict_column(block, density));
  for (BestFigure& figure : best_figures(block)) {
    GridColumn& column = columns.emplace_back(GridColumn{std::move(figure.header), Align::right, {}});
    for (std::string& text : figure.texts) column.cells.push_back({text.empty() ? "-" : std::move(text)});
  }
  return columns;
}

std::vector<GridColumn> entry_columns(const SweepBlock& block, const Density& density) {
  std::vector<GridColumn> columns;
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    columns.push_back(entry_column(block, i, time_unit(block), density));
  }
  return columns;
}

// Several tables under one another, each with the sizes; the last has the verdicts.
std::string render_spread(const SweepBlock& block, std::size_t width, const Ansi& ansi) {
  constexpr Density ample{true, false, true, true}, tight{false, false, true, true};
  std::string text;
  std::vector<GridColumn> table = {size_column(block)};
  // Columns that must stay together; a new table is begun where they don't fit into this one.
  const auto add = [&](std::vector<GridColumn> columns) {
    const auto before = static_cast<std::ptrdiff_t>(table.size());
    std::ranges::move(columns, std::back_inserter(table));
    if (before == 1 || grid_width(table) <= width) return;
    std::vector<GridColumn> next = {size_column(block)};
    std::move(table.begin() + before, table.end(), std::back_inserter(next));
    table.resize(static_cast<std::size_t>(before));
    text += render_grid(table, ansi) + '\n';
    table = std::move(next);
  };
  for (GridColumn& column : entry_columns(block, ample)) add({std::move(column)});
  std::vector<GridColumn> last = {size_column(block)};
  std::ranges::move(verdict_columns(block, ample), std::back_inserter(last));
  add(verdict_columns(block, grid_width(last) <= width ? ample : tight));
  return text + render_grid(table, ansi);
}

}  // namespace

std::string render_block(const SweepBlock& block, std::size_t width, const Ansi& ansi) {
  for (const Density& density : kDensities) {
    std::vector<GridColumn> table = {size_column(block)};
    std::ranges::move(entry_columns(block, density), std::back_inserter(table));
    std::ranges::move(verdict_columns(block, density), std::back_inserter(table));
    if (grid_width(table) <= width) return render_grid(table, ansi);
  }
  return render_spread(block, width, ansi);
}

}  // namespace ringside
