#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "report/render/html/page.hpp"
#include "report/render/markup.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

std::string list_items(const std::vector<std::string>& lines, std::string_view open, std::string_view close) {
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("<li>{}{}{}</li>\n", open, markup_escaped(line), close);
  return text;
}

std::string titled_list(std::string_view title, const std::vector<std::string>& lines, bool code) {
  if (lines.empty()) return "";
  return fmt::format("<h3>{}</h3>\n<ul>{}</ul>\n", markup_escaped(title),
                     code ? list_items(lines, "<code>", "</code>") : list_items(lines, "", ""));
}

// Without Chart.js there are tables alone, and the page says why.
std::string charts_html(const std::vector<Figure>& figures) {
  if (figures.empty()) return "";
  if (embedded_chart().empty())
    return "<p class=\"alert\">This ringside was built without Chart.js, so there are no charts here; the "
           "tables hold "
           "all numbers.</p>\n";
  return "<noscript><p class=\"alert\">The charts need JavaScript; the tables hold all "
         "numbers.</p></noscript>\n" +
         figures_html(figures);
}

// Each part of a View as HTML. What an Answer says stands at the top of the page already.
struct PartHtml {
  std::string operator()(const TitledGrid& grid) const { return grid_html(grid); }
  std::string operator()(const Matrix& matrix) const { return matrix_html(matrix); }
  std::string operator()(const Legend& legend) const {
    return fmt::format(
        "<p class=\"note\">{}; the deeper a cell's colour, the farther behind the best of its size</p>\n",
        markup_escaped(legend.text));
  }
  std::string operator()(const Remark& remark) const {
    return fmt::format("<p class=\"note\">{}</p>\n", markup_escaped(remark.text));
  }
  std::string operator()(const std::vector<Figure>& figures) const { return charts_html(figures); }
  std::string operator()(const Findings& findings) const { return findings_html(findings); }
  std::string operator()(const Answers& answers) const {
    std::vector<std::string> reasons;
    for (const Answer& answer : answers.answers)
      std::ranges::copy(answer.reasons, std::back_inserter(reasons));
    return titled_list("what decides", reasons, false);
  }
  std::string operator()(const StepList& steps) const { return steps_html(steps); }
  std::string operator()(const Backtrace& trace) const { return backtrace_html(trace); }
  std::string operator()(const Alternatives& alternatives) const {
    GridLines lines;
    for (const char* name : {"what if", "outcome", "gives up"}) lines.add({name}, Align::left);
    for (const Alternatives::Item& item : alternatives.items)
      lines.line({item.changes, item.outcome, item.gives_up});
    return grid_html({.title = "what would change it", .columns = lines.take()});
  }
  std::string operator()(const FactList& list) const { return facts_html(list.facts); }
  std::string operator()(const CodeLines& code) const { return titled_list(code.title, code.lines, true); }
};

// Neighbours with the same fold are folded together.
std::string sections_html(std::span<const Section> sections) {
  std::string text;
  for (auto section = sections.begin(); section != sections.end();) {
    const std::string& fold = section->fold;
    std::string content;
    for (; section != sections.end() && section->fold == fold; ++section)
      content += std::visit(PartHtml{}, section->part);
    text += fold.empty() || content.empty() ? content : folded_html(fold, content);
  }
  return text;
}

// The answer, below the title.
std::string lede(const View& view) {
  std::string alerts, answers, method;
  for (const HeadLine& line : view.head) {
    const std::string text = line.label.empty() || line.alert ? line.text : line.label + " " + line.text;
    (line.alert ? alerts : method) +=
        fmt::format("<p class=\"{}\">{}</p>\n", line.alert ? "alert" : "method", markup_escaped(text));
  }
  for (const Section& section : view.sections) {
    const auto* found = std::get_if<Answers>(&section.part);
    if (found == nullptr) continue;
    for (const Answer& answer : found->answers) {
      if (answer.text.empty()) continue;
      answers += fmt::format(
          "<li><b>{}</b> {}{}</li>\n", markup_escaped(answer.about.empty() ? answer.label : answer.about),
          markup_escaped(answer.text),
          answer.below.empty() ? "" : fmt::format("<span>{}</span>", markup_escaped(answer.below)));
    }
  }
  return alerts + (answers.empty() ? "" : "<ul class=\"answers\">\n" + answers + "</ul>\n") + method;
}

std::string provenance_html(const Provenance& origin) {
  Facts run = {{"machine", origin.machine},
               {"command", origin.command},
               {"started", origin.started},
               {"tool", origin.tool}};
  std::erase_if(run, [](const auto& fact) { return fact.second.empty(); });
  std::string text = facts_html(run);
  if (!origin.machine_facts.empty())
    text += folded_html("facts of the machine", facts_html(origin.machine_facts));
  if (!origin.environment.empty()) text += folded_html("environment", facts_html(origin.environment));
  return text;
}

void add_figures(const View& view, std::vector<Figure>& figures) {
  for (const Section& section : view.sections) {
    if (const auto* found = std::get_if<std::vector<Figure>>(&section.part))
      std::ranges::copy(*found, std::back_inserter(figures));
  }
}

class HtmlRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "html"; }
  std::string_view summary() const override {
    return embedded_chart().empty() ? "a page for people, in one file (tables alone: built without Chart.js)"
                                    : "a page with charts, for people, in one file that needs no network";
  }
  ViewRequest request(const RenderOptions&) const override {
    return {.room = Room::page, .sections = true, .figures = true};
  }
  std::string render_view(const View& view, const RenderOptions&) const override {
    Page page{.title = view.title, .command = view.command, .lede = lede(view)};
    const auto& sections = view.sections;
    for (auto begin = sections.begin(); begin != sections.end();) {
      const auto end = std::find_if(begin, sections.end(),
                                    [&](const Section& section) { return section.topic != begin->topic; });
      page.sections.emplace_back(markup_escaped(begin->topic), sections_html({begin, end}));
      begin = end;
    }
    for (const View& part : view.parts)
      page.sections.emplace_back(markup_escaped(part.name), lede(part) + sections_html(part.sections) +
                                                                provenance_html(part.provenance));
    if (view.parts.empty()) page.sections.emplace_back("machine", provenance_html(view.provenance));
    if (!embedded_chart().empty()) add_figures(view, page.figures);
    return render_page(page);
  }
};

const RegisterWriter<HtmlRenderer> registered;

}  // namespace
}  // namespace ringside
