#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/beside.hpp"
#include "report/cell.hpp"
#include "report/comparison_view.hpp"
#include "report/first_calls.hpp"
#include "report/headline.hpp"
#include "report/html/page.hpp"
#include "report/markup.hpp"
#include "report/spec_view.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

std::string title_of(const Document& document) {
  if (document.trace) return document.trace->title;
  if (document.spec) return document.spec->title;
  if (document.comparison)
    return fmt::format("{} against {}", join(document.comparison->now.files, ", "),
                       join(document.comparison->base.files, ", "));
  if (document.rows.empty() || document.machine.name.empty()) return document.command;
  std::vector<std::string> collectives;
  for (const Row& row : document.rows) {
    const std::string name(to_string(row.params.collective));
    if (std::ranges::find(collectives, name) == collectives.end()) collectives.push_back(name);
  }
  // The name of a machine begins with what matters most.
  const std::string& machine = document.machine.name;
  return fmt::format("{} on {}", join(collectives, " and "), machine.substr(0, machine.find(',')));
}

std::string answer_html(std::string_view label, std::string_view text, std::string_view below = "") {
  if (text.empty()) return "";
  return fmt::format("<li><b>{}</b> {}{}</li>\n", markup_escaped(label), markup_escaped(text),
                     below.empty() ? "" : fmt::format("<span>{}</span>", markup_escaped(below)));
}

std::string lede(const Document& document, const std::vector<SweepBlock>& blocks) {
  std::string answers;
  if (document.trace) answers += answer_html(document.trace->outcome, document.trace->summary);
  if (document.spec)
    answers += answer_html("verdict", document.spec->recommendation, document.spec->confidence);
  if (document.comparison) {
    answers += answer_html("verdict", verdict_counts(document));
  } else if (!document.spec) {
    for (const SweepBlock& block : blocks) answers += answer_html(block.name(), answer(block));
  }
  std::string text;
  if (const std::string line = incomplete_line(document); !line.empty())
    text += fmt::format("<p class=\"alert\">{}</p>\n", markup_escaped(line));
  if (!document.tool.sanitizers.empty())
    text += fmt::format("<p class=\"alert\">{}</p>\n", markup_escaped(tool_line(document)));
  if (!answers.empty()) text += "<ul class=\"answers\">\n" + answers + "</ul>\n";
  std::vector<std::string> method = {method_line(document)};
  if (document.comparison)
    method = {"base " + side_line(document.comparison->base), "new " + side_line(document.comparison->now),
              judgement_line(document)};
  for (const std::string& line : method) {
    if (!line.empty()) text += fmt::format("<p class=\"method\">{}</p>\n", markup_escaped(line));
  }
  return text;
}

// Without Chart.js there are tables alone, and the page says why.
std::string charts_section(std::span<const Figure> figures) {
  if (figures.empty()) return "";
  if (embedded_chart().empty())
    return "<p class=\"alert\">This ringside was built without Chart.js, so there are no charts here; the "
           "tables hold "
           "all numbers.</p>\n";
  return "<noscript><p class=\"alert\">The charts need JavaScript; the tables hold all "
         "numbers.</p></noscript>\n" +
         figures_html(figures);
}

std::string spec_section(const SpecResult& spec) {
  std::string text;
  for (const TitledGrid& grid : spec_tables(spec, false)) text += grid_html(grid);
  if (!spec.decides.empty()) {
    text += "<h3>what decides</h3>\n<ul>";
    for (const std::string& sentence : spec.decides)
      text += fmt::format("<li>{}</li>\n", markup_escaped(sentence));
    text += "</ul>\n";
  }
  std::string all;
  for (const TitledGrid& grid : spec_tables(spec, true)) all += grid_html(grid);
  return text + folded_html("all candidates, steps and inputs", all);
}

std::string comparison_section(const Document& document) {
  return grid_html(comparison_grid(document, false)) +
         folded_html(fmt::format("all {} cases", document.rows.size()),
                     grid_html(comparison_grid(document, true)));
}

std::string blocks_section(const Document& document, const std::vector<SweepBlock>& blocks) {
  std::string text;
  for (const SweepBlock& block : blocks) text += block_html(block);
  if (const std::string symbols = legend(blocks); !symbols.empty())
    text += fmt::format(
        "<p class=\"note\">{}; the deeper a cell's colour, the farther behind the best of its size</p>\n",
        markup_escaped(symbols));
  if (!document.rows.empty() && !document.comparison)
    text += folded_html(fmt::format("all {} cases with all their numbers", document.rows.size()),
                        rows_html(document));
  if (document.comparison) return text;
  const TitledGrid first_calls = first_call_grid(document);
  return first_calls.empty() ? text : text + folded_html("first calls", grid_html(first_calls));
}

std::string machine_section(const Document& document) {
  std::vector<std::pair<std::string, std::string>> run = {{"machine", document.machine.name},
                                                          {"command", join(document.argv, " ")},
                                                          {"started", document.started},
                                                          {"tool", tool_line(document)}};
  std::erase_if(run, [](const auto& fact) { return fact.second.empty(); });
  std::string text = facts_html(run);
  if (!document.machine.facts.empty())
    text += folded_html("facts of the machine", facts_html(document.machine.facts));
  if (!document.environment.empty()) text += folded_html("environment", facts_html(document.environment));
  return text;
}

class HtmlWriter final : public Writer {
 public:
  std::string_view name() const override { return "html"; }
  std::string_view summary() const override {
    return embedded_chart().empty() ? "a page for people, in one file (tables alone: built without Chart.js)"
                                    : "a page with charts, for people, in one file that needs no network";
  }
  std::string render(const Document& document, const RenderOptions&) const override {
    const std::vector<SweepBlock> blocks = sweep_blocks(document);
    const NamedDocument alone{"", &document};
    Page page{.title = title_of(document), .command = document.command, .lede = lede(document, blocks)};
    if (document.spec) page.figures = spec_figures(*document.spec);
    for (Figure& figure : document.comparison ? comparison_figures(document) : sweep_figures({&alone, 1}))
      page.figures.push_back(std::move(figure));
    page.sections = {{"findings", findings_html(document)},
                     {"trace", document.trace ? trace_html(*document.trace) : ""},
                     {"comparison", document.comparison ? comparison_section(document) : ""},
                     {"charts", charts_section(page.figures)},
                     {"speculation", document.spec ? spec_section(*document.spec) : ""},
                     {"times", blocks_section(document, blocks)},
                     {"machine", machine_section(document)}};
    if (embedded_chart().empty()) page.figures.clear();
    return render_page(page);
  }

  bool takes_several() const override { return true; }
  std::string render_several(std::span<const NamedDocument> documents, const RenderOptions&) const override {
    std::vector<std::string> names;
    for (const NamedDocument& part : documents) names.push_back(part.name);
    Page page{.title = join(names, ", "),
              .command = "results beside one another",
              .figures = sweep_figures(documents)};
    std::string tables;
    for (const TitledGrid& grid : beside(documents)) tables += grid_html(grid);
    page.sections = {{"charts", charts_section(page.figures)}, {"tables", tables}};
    for (const NamedDocument& part : documents) {
      page.sections.emplace_back(markup_escaped(part.name),
                                 lede(*part.document, sweep_blocks(*part.document)) +
                                     findings_html(*part.document) + machine_section(*part.document));
    }
    if (embedded_chart().empty()) page.figures.clear();
    return render_page(page);
  }
};

const RegisterWriter<HtmlWriter> registered;

}  // namespace
}  // namespace ringside
