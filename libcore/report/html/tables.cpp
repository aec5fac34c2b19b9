#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/best_figures.hpp"
#include "report/cell.hpp"
#include "report/finding_index.hpp"
#include "report/html/page.hpp"
#include "report/markup.hpp"
#include "stats/order.hpp"

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

// What a comparison with an earlier measurement made of a row.
std::string_view change(const Row& row) {
  switch (row.status) {
    case Status::regress:
      return "slower";
    case Status::improve:
      return "faster";
    case Status::ambiguous:
      return "unclear";
    default:
      return "";
  }
}

std::string time_cell(const Row* row, const SizeLine& line, const TimeUnit& unit, Standing place) {
  const CellText text = cell_text(row, unit, place);
  std::string_view style = "none";
  if (has_result(row)) {
    style = place == Standing::winner ? "win" : heat(row->time->median_ns / line.best->time->median_ns);
  } else if (row != nullptr && row->status != Status::skipped) {
    style = "bad";
  }
  std::string below;
  for (const std::string_view more :
       {std::string_view(text.uncertainty), row == nullptr ? "" : change(*row)}) {
    if (!more.empty()) below += fmt::format(" <span class=\"pm\">{}</span>", more);
  }
  if (row != nullptr && row->status == Status::regress) style = "bad";
  return fmt::format("<td class=\"r {}{}\">{}{}{}</td>", style, place == Standing::tied ? " tied" : "",
                     text.mark, markup_escaped(text.value), below);
}

std::string number(std::optional<double> value, double unit = 1) {
  return value && std::isfinite(*value) ? format_three_digits(*value / unit) : "";
}

std::string bound(const Row& row, double Interval::*which) {
  return row.time && row.time->interval95_ns ? number((*row.time->interval95_ns).*which, 1e3) : "";
}

std::string first_call(const Row& row) {
  std::vector<double> calls;
  for (const LaunchSamples& launch : row.launches) {
    if (launch.first_call_ns && std::isfinite(*launch.first_call_ns)) calls.push_back(*launch.first_call_ns);
  }
  return calls.empty() ? "" : number(median(calls), 1e3);
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
      const std::string text = markup_escaped(column.cells[y].text);
      if (&column == grid.columns.data()) {
        body += fmt::format("<th scope=\"row\"{}>{}</th>", column.align == Align::right ? " class=\"r\"" : "",
                            text);
        continue;
      }
      const bool is_long = column.align == Align::left && text.size() > kLong;
      std::string_view look = column.align == Align::right ? "r" : is_long ? "long" : "";
      if (look.empty() && style == Style::plain) look = emphasis(column.cells[y].style);
      body += look.empty() ? "<td>" : fmt::format("<td class=\"{}\">", look);
      body += text + "</td>";
    }
    body += "</tr>\n";
  }
  const std::string note =
      grid.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>\n", markup_escaped(grid.note));
  return fmt::format("<h3>{}</h3>\n", markup_escaped(grid.title)) + boxed(grid.title, head, body) + note;
}

std::string block_html(const SweepBlock& block) {
  const TimeUnit unit = time_unit(block);
  const std::string title = block.entries.empty()
                                ? fmt::format("{}, {} ranks: no strategy ran", block.name(), block.ranks)
                                : fmt::format("{}, {} ranks: {} per call (median, slowest rank)",
                                              block.name(), block.ranks, unit.name);
  if (block.entries.empty()) return fmt::format("<h3>{}</h3>\n", markup_escaped(title));
  const std::vector<BestFigure> figures = best_figures(block);
  std::string head = heading("size", true), body;
  for (const std::string& entry : block.entries) head += heading(entry, true);
  if (block.compared()) head += heading("winner", false);
  for (const BestFigure& figure : figures) head += heading(join(figure.header, " "), true);
  for (std::size_t y = 0; y < block.lines.size(); ++y) {
    const SizeLine& line = block.lines[y];
    body += fmt::format("<tr><th scope=\"row\" class=\"r\">{}</th>", format_size(line.bytes));
    for (std::size_t i = 0; i < block.entries.size(); ++i)
      body += time_cell(line.rows[i], line, unit, standing(line.verdict, block.entries[i]));
    if (block.compared()) body += fmt::format("<td>{}</td>", markup_escaped(verdict_text(line.verdict)));
    for (const BestFigure& figure : figures) body += fmt::format("<td class=\"r\">{}</td>", figure.texts[y]);
    body += "</tr>\n";
  }
  return fmt::format("<h3>{}</h3>\n", markup_escaped(title)) + boxed(title, head, body);
}

std::string rows_html(const Document& document) {
  const FindingIndex findings(document);
  std::string head, body;
  for (const char* left : {"strategy", "size", "dtype", "mode", "status"}) head += heading(left, false);
  for (const char* right : {"median us", "95 % from", "to", "min", "p90", "p99", "samples", "launches",
                            "first call us", "algbw GB/s", "busbw GB/s", "floor us"})
    head += heading(right, true);
  for (const char* left : {"asked", "ran", "chosen by", "why"}) head += heading(left, false);
  for (const Row& row : document.rows) {
    const Finding* reason = findings.reason(row);
    const std::string texts[] = {format_size(row.params.bytes), std::string(to_string(row.params.dtype)),
                                 std::string(to_string(row.params.mode)), std::string(to_string(row.status))};
    const auto& time = row.time;
    const std::string numbers[] = {time ? number(time->median_ns, 1e3) : "",
                                   bound(row, &Interval::low),
                                   bound(row, &Interval::high),
                                   time ? number(time->min_ns, 1e3) : "",
                                   time ? number(time->p90_ns, 1e3) : "",
                                   time ? number(time->p99_ns, 1e3) : "",
                                   time ? std::to_string(time->samples) : "",
                                   std::to_string(row.launches.size()),
                                   first_call(row),
                                   number(row.algbw_gbps),
                                   number(row.busbw_gbps),
                                   row.floor_ns ? number(row.floor_ns, 1e3) : ""};
    body += fmt::format("<tr><th scope=\"row\">{}</th>", markup_escaped(entry_name(row.params)));
    for (const std::string& text : texts) body += "<td>" + text + "</td>";
    for (const std::string& text : numbers) body += "<td class=\"r\">" + text + "</td>";
    for (const auto& text : {row.asked, row.ran, row.chosen_by})
      body += "<td>" + markup_escaped(text.value_or("")) + "</td>";
    body += "<td>" + (reason == nullptr ? "" : markup_escaped(reason->message)) + "</td></tr>\n";
  }
  return document.rows.empty() ? "" : boxed("all cases", head, body, true);
}

}  // namespace ringside
