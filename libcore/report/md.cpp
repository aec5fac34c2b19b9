#include <fmt/format.h>

#include "base/text.hpp"
#include "report/answer.hpp"
#include "report/beside.hpp"
#include "report/best_figures.hpp"
#include "report/cell.hpp"
#include "report/comparison_view.hpp"
#include "report/conclusions.hpp"
#include "report/first_calls.hpp"
#include "report/headline.hpp"
#include "report/markdown.hpp"
#include "report/spec_view.hpp"
#include "report/trace_text.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

std::string table_line(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

std::string cell(const SizeLine& line, std::size_t entry, const SweepBlock& block, const TimeUnit& unit) {
  const Standing place = standing(line.verdict, block.entries[entry]);
  const CellText text = cell_text(line.rows[entry], unit, place);
  std::string shown = markdown_escaped(text.mark + text.value);
  if (place == Standing::winner || place == Standing::tied) shown = "**" + shown + "**";
  return text.uncertainty.empty() ? shown : shown + " " + text.uncertainty;
}

std::string block_text(const SweepBlock& block) {
  std::string text = fmt::format("**{}, {} ranks**: ", block.name(), block.ranks);
  if (block.entries.empty()) return text + "no strategy ran\n\n";
  const TimeUnit unit = time_unit(block);
  const std::vector<BestFigure> figures = best_figures(block);
  text += fmt::format("{} per call (median, slowest rank)\n\n", unit.name);

  std::vector<std::string> names = {"size"}, rule(1 + block.entries.size(), "---:");
  for (const std::string& entry : block.entries) names.push_back(markdown_escaped(entry));
  if (block.compared()) {
    names.emplace_back("winner");
    rule.emplace_back(":---");
  }
  for (const BestFigure& figure : figures) {
    names.push_back(join(figure.header, " "));
    rule.emplace_back("---:");
  }
  text += table_line(names) + table_line(rule);
  for (std::size_t y = 0; y < block.lines.size(); ++y) {
    const SizeLine& line = block.lines[y];
    std::vector<std::string> cells = {format_size(line.bytes)};
    for (std::size_t i = 0; i < block.entries.size(); ++i) cells.push_back(cell(line, i, block, unit));
    if (block.compared()) cells.push_back(markdown_escaped(verdict_text(line.verdict)));
    for (const BestFigure& figure : figures) cells.push_back(figure.texts[y]);
    text += table_line(cells);
  }
  return text + '\n';
}

std::string finding_text(const Finding& finding, const std::string& sentence, std::string_view word,
                         bool evidence) {
  std::string text = fmt::format("- **{}** {}\n", word, markdown_escaped(sentence));
  if (evidence) {
    for (const std::string& line : finding.evidence) text += "  - " + markdown_escaped(line) + '\n';
  }
  if (!finding.remedy.empty()) text += "  - fix: " + markdown_escaped(finding.remedy) + '\n';
  return text;
}

std::string conclusions_text(const Conclusions& conclusions, bool verbose) {
  std::string text;
  for (const FindingGroup& group : conclusions.findings) {
    const Severity severity = group.finding->severity;
    if (severity == Severity::note && !verbose) continue;
    text += finding_text(*group.finding, group.sentence(), to_string(severity),
                         verbose || severity == Severity::error);
  }
  for (const SkippedGroup& group : conclusions.skipped) {
    text += finding_text(group.reason ? *group.reason : Finding{}, group.sentence(), "skipped", verbose);
  }
  return text.empty() ? text : text + '\n';
}

std::string answers_text(const std::vector<SweepBlock>& blocks) {
  std::string text;
  for (const SweepBlock& block : blocks) {
    const std::string line = answer(block);
    if (line.empty()) continue;
    text +=
        fmt::format("- **{}**: {}\n", blocks.size() == 1 ? "verdict" : block.name(), markdown_escaped(line));
  }
  return text;
}

std::string grid_text(const TitledGrid& table) {
  if (table.empty()) return "";
  std::vector<std::string> names, rule;
  for (const GridColumn& column : table.columns) {
    names.push_back(markdown_escaped(join(column.header, " ")));
    rule.emplace_back(column.align == Align::right ? "---:" : ":---");
  }
  std::string text =
      fmt::format("**{}**\n\n", markdown_escaped(table.title)) + table_line(names) + table_line(rule);
  for (std::size_t y = 0; y < table.columns.front().cells.size(); ++y) {
    std::vector<std::string> cells;
    for (const GridColumn& column : table.columns) cells.push_back(markdown_escaped(column.cells[y].text));
    text += table_line(cells);
  }
  return text + (table.note.empty() ? "\n" : "\n" + markdown_escaped(table.note) + "\n\n");
}

std::string spec_text(const SpecResult& spec, bool verbose) {
  std::string text;
  for (const TitledGrid& table : spec_tables(spec, verbose)) text += grid_text(table);
  for (const std::string& sentence : spec.decides) text += fmt::format("- {}\n", markdown_escaped(sentence));
  return text + fmt::format("- **verdict** {}\n  - {}\n\n", markdown_escaped(spec.recommendation),
                            markdown_escaped(spec.confidence));
}

// The verdict above all: it is what the page of a CI job is opened for.
std::string comparison_text(const Document& document, bool verbose) {
  std::string text = fmt::format("### ringside {}\n\n", markdown_escaped(document.command));
  const auto item = [&](const char* label, const std::string& value) {
    if (!value.empty()) text += fmt::format("- **{}**: {}\n", label, markdown_escaped(value));
  };
  item("verdict", verdict_counts(document));
  item("base", side_line(document.comparison->base));
  item("new", side_line(document.comparison->now));
  item("machine", document.machine.name);
  item("method", judgement_line(document));
  text += '\n' + grid_text(comparison_grid(document, verbose));
  return text + conclusions_text(conclude(document), verbose);
}

class MarkdownWriter final : public Writer {
 public:
  std::string_view name() const override { return "md"; }
  std::string_view summary() const override { return "GitHub Markdown, to paste into an issue"; }
  std::string render(const Document& document, const RenderOptions& options) const override {
    if (document.trace) return trace_markdown(document, options);
    if (document.comparison) return comparison_text(document, options.verbose);
    std::string text = fmt::format("### ringside {}\n\n", markdown_escaped(document.command));
    const auto item = [&](const char* label, const std::string& value) {
      if (!value.empty()) text += fmt::format("- **{}**: {}\n", label, markdown_escaped(value));
    };
    item("warning", incomplete_line(document));
    item("tool", tool_line(document));
    item("command", join(document.argv, " "));
    item("started", document.started);
    item("machine", document.machine.name);
    item("method", method_line(document));
    text += '\n';
    if (document.spec) text += spec_text(*document.spec, options.verbose);
    const std::vector<SweepBlock> blocks = sweep_blocks(document);
    for (const SweepBlock& block : blocks) text += block_text(block);
    if (const std::string symbols = legend(blocks); !symbols.empty())
      text += markdown_escaped(symbols) + "\n\n";
    if (options.verbose && !document.spec) text += grid_text(first_call_grid(document));
    text += conclusions_text(conclude(document), options.verbose);
    text += answers_text(blocks);
    return text;
  }
  bool takes_several() const override { return true; }
  std::string render_several(std::span<const NamedDocument> documents, const RenderOptions&) const override {
    std::string text = "### ringside\n\n";
    for (const TitledGrid& grid : beside(documents)) text += grid_text(grid);
    return text;
  }
};

const RegisterWriter<MarkdownWriter> registered;

}  // namespace
}  // namespace ringside
