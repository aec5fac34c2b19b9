#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/render/ansi.hpp"
#include "report/view.hpp"

namespace ringside {

// Columns of the terminal that the column, or a table of them, takes.
std::size_t grid_width(const GridColumn& column);
std::size_t grid_width(std::span<const GridColumn> columns);

// The columns with the texts of the last one, and where that isn't enough of the first one, broken into
// several lines, where the table would be wider than `width`. Columns that stand at the right, and narrow
// ones, stay.
std::vector<GridColumn> wrap_columns(std::vector<GridColumn> columns, std::size_t width);

// Headers stand on the bottom of the head; columns are two blanks apart; no line ends in blanks.
std::string render_grid(std::span<const GridColumn> columns, const Ansi& ansi);

// A matrix as a text table of at most `width` columns. Where that is too wide, what the marks in the cells
// repeat is left out first, then names are broken, and at last the candidates are spread over several
// tables; nothing is dropped unsaid.
std::string render_matrix(const Matrix& matrix, std::size_t width, const Ansi& ansi);

}  // namespace ringside
