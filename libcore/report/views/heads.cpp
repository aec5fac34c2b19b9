#include "report/views/heads.hpp"

#include "base/text.hpp"
#include "report/views/headline.hpp"

namespace ringside {

View start_view(const Document& document, const ViewRequest& request) {
  View view;
  view.heading = "ringside " + document.command;
  view.command = document.command;
  if (request.sections && request.room == Room::page)
    view.provenance = {.machine = document.machine.name,
                       .command = join(document.argv, " "),
                       .started = document.started,
                       .tool = tool_line(document),
                       .machine_facts = document.machine.facts,
                       .environment = document.environment};
  return view;
}

void add_line(std::vector<HeadLine>& lines, std::string label, std::string text, Style style) {
  if (!text.empty()) lines.push_back({.label = std::move(label), .text = std::move(text), .style = style});
}

std::vector<HeadLine> alert_lines(const Document& document) {
  std::vector<HeadLine> lines;
  add_line(lines, "warning", incomplete_line(document), Style::warning);
  // A sanitizer's numbers must not be taken for real ones.
  if (!document.tool.sanitizers.empty()) add_line(lines, "tool", tool_line(document));
  for (HeadLine& line : lines) line.alert = true;
  return lines;
}

std::vector<HeadLine> measurement_lines(const Document& document, const ViewRequest& request) {
  std::vector<HeadLine> lines = alert_lines(document);
  if (request.room == Room::page) {
    add_line(lines, "", method_line(document));
    add_line(lines, "fit", fit_line(document));
    return lines;
  }
  if (request.verbose || request.room == Room::document) {
    if (document.tool.sanitizers.empty()) add_line(lines, "tool", tool_line(document));
    add_line(lines, "command", join(document.argv, " "));
    add_line(lines, "started", document.started);
  }
  add_line(lines, "machine", document.machine.name);
  add_line(lines, "method", method_line(document));
  add_line(lines, "fit", fit_line(document));
  if (!request.verbose || request.room == Room::document) return lines;
  for (const auto& [name, value] : document.environment) add_line(lines, "env", name + "=" + value);
  return lines;
}

}  // namespace ringside
