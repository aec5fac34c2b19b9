#include <fmt/format.h>

#include "base/text.hpp"
#include "report/render/html/page.hpp"
#include "report/render/markup.hpp"

namespace ringside {
namespace {

// A table inside a box that scrolls by itself, reachable by the keyboard.
std::string boxed(std::string_view label, const std::string& head, const std::string& body,
                  bool tall = false) {
  return fmt::format(
      "<div class=\"scroll{}\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\">\n<table>\n<thead><tr>{}</tr></thead>\n"
      "<tbody>\n{}</tbody>\n</table>\n</div>\n",
      tall ? " tall" : "", markup_escaped(label), head, body);
}

std::string heading(std::string_view text, bool right) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", right ? " class=\"r\"" : "", markup_escaped(text));
}

// How far a time lies behind the best of its size, in the strength of the cell's colour.
std::string_view heat(double ratio) {
  if (!(ratio > 1.1)) return "";
  if (ratio <= 1.5) return "h1";
  if (ratio <= 2.5) return "h2";
  return ratio <= 5 ? "h3" : "h4";
}

// The colour of a number says how far it is behind the best of its line.
std::string matrix_cell(const MatrixCell& cell) {
  std::string_view style = heat(cell.behind);
  if (cell.style == Style::faint) style = "none";
  if (cell.style == Style::winner) style = "win";
  if (cell.style == Style::error) style = "bad";
  std::string below;
  for (const std::string& more : {cell.aside, cell.change}) {
    if (!more.empty()) below += fmt::format(" <span class=\"pm\">{}</span>", markup_escaped(more));
  }
  return fmt::format("<td class=\"r {}{}\">{}{}{}</td>", style, cell.style == Style::tied ? " tied" : "",
                     markup_escaped(cell.mark), markup_escaped(cell.value), below);
}

// The class of a cell that has a style of its own.
std::string_view emphasis(Style style) {
  switch (style) {
    case Style::winner:
      return "win";
    case Style::error:
      return "bad";
    case Style::warning:
      return "doubt";
    default:
      return "";
  }
}

}  // namespace

std::string grid_html(const TitledGrid& grid) {
  if (grid.empty()) return "";
  constexpr std::size_t kLong = 60;  // longer texts are broken into lines
  std::string head, body;
  for (const GridColumn& column : grid.columns)
    head += heading(join(column.header, " "), column.align == Align::right);
  for (std::size_t y = 0; y < grid.columns.front().cells.size(); ++y) {
    const Style style = grid.columns.front().cells[y].style;
    body += style == Style::warning ? "<tr class=\"warning\">"
            : style == Style::error ? "<tr class=\"error\">"
                                    : "<tr>";
    for (const GridColumn& column : grid.columns) {
      const GridCell& cell = column.cells[y];
      const std::string text = markup_escaped(cell.text);
      const bool right = column.align == Align::right;
      if (&column == grid.columns.data()) {
        body.append(right ? "<th scope=\"row\" class=\"r\">" : "<th scope=\"row\">")
            .append(text)
            .append("</th>");
        continue;
      }
      std::string_view look = right ? "r" : !grid.whole && text.size() > kLong ? "long" : "";
      if (look.empty() && style == Style::plain) look = emphasis(cell.style);
      if (look.empty()) {
        body += "<td>";
      } else {
        body.append("<td class=\"").append(look).append("\">");
      }
      body.append(text).append("</td>");
    }
    body += "</tr>\n";
  }
  const std::string note =
      grid.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", markup_escaped(grid.note));
  const std::string title = grid.whole ? "" : fmt::format("<h3>{}</h3>\n", markup_escaped(grid.title));
  return title + boxed(grid.title, head, body, grid.whole) + note;
}

std::string matrix_html(const Matrix& matrix) {
  const std::string title = matrix.subject + ": " + matrix.what;
  const std::string heading_line = fmt::format("<h3>{}</h3>\n", markup_escaped(title));
  if (matrix.candidates.empty()) return heading_line;
  std::vector<const MatrixColumn*> last;
  if (matrix.verdicts) last.push_back(&*matrix.verdicts);
  for (const MatrixColumn& column : matrix.best) last.push_back(&column);
  std::string head = heading(matrix.key, true), body;
  for (const MatrixColumn& column : matrix.candidates) head += heading(join(column.header, " "), true);
  for (const MatrixColumn* column : last)
    head += heading(join(column->header, " "), column->align == Align::right);
  for (std::size_t y = 0; y < matrix.keys.size(); ++y) {
    body += fmt::format("<tr><th scope=\"row\" class=\"r\">{}</th>", markup_escaped(matrix.keys[y]));
    for (const MatrixColumn& column : matrix.candidates) body += matrix_cell(column.cells[y]);
    for (const MatrixColumn* column : last)
      body += fmt::format("<td{}>{}</td>", column->align == Align::right ? " class=\"r\"" : "",
                          markup_escaped(column->cells[y].value));
    body += "</tr>\n";
  }
  return heading_line + boxed(title, head, body);
}

}  // namespace ringside
