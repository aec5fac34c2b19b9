#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "report/ansi.hpp"
#include "report/answer.hpp"
#include "report/beside.hpp"
#include "report/block_grid.hpp"
#include "report/cell.hpp"
#include "report/comparison_view.hpp"
#include "report/conclusions.hpp"
#include "report/figure.hpp"
#include "report/first_calls.hpp"
#include "report/headline.hpp"
#include "report/plot.hpp"
#include "report/spec_view.hpp"
#include "report/trace_text.hpp"
#include "report/wrap.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

constexpr std::size_t kLabel = 9;  // columns of "machine  ", "warning  "
constexpr std::size_t kNarrowest = 40;
constexpr std::size_t kWidestPlot = 100;

// Paragraphs with a word before them, in the colour of their kind.
class Page {
 public:
  explicit Page(const RenderOptions& options)
      : width_(std::max(static_cast<std::size_t>(std::max(options.width, 0)), kNarrowest)),
        ansi_(options.color),
        unicode_(options.unicode) {}

  // Nothing is written for an empty text. The label is painted afterwards: escape sequences have no width.
  void line(std::string_view label, std::string_view text, Style style = Style::heading) {
    if (text.empty()) return;
    const std::string lines = wrap(pad(label, kLabel), text, width_);
    add(ansi_.paint(style, label) + lines.substr(label.size()));
  }
  void below(std::string_view text, std::string_view lead = "  ") {
    add(wrap(std::string(kLabel, ' ').append(lead), text, width_));
  }
  void paragraph(std::string_view text, Style style) {
    std::string lines = wrap("", text, width_);
    lines.pop_back();
    if (!lines.empty()) add(ansi_.paint(style, lines) + '\n');
  }
  void block(const SweepBlock& block) { add(render_block(block, width_, ansi_)); }
  void grid(const TitledGrid& grid) {
    if (grid.empty()) return;
    gap();
    paragraph(grid.title, Style::heading);
    add(render_grid(wrap_columns(grid.columns, width_), ansi_));
    paragraph(grid.note, Style::faint);
  }
  void plot(const Figure& figure) {
    const PlotOptions size{.width = static_cast<int>(std::min(width_, kWidestPlot)), .unicode = unicode_};
    const std::string text = render_plot(figure, size);
    if (text.empty()) return;
    gap();
    add(text);
  }
  void gap() { gap_ = !text_.empty(); }  // an empty line, if anything follows
  std::string end() && { return std::move(text_); }

 private:
  void add(const std::string& lines) {
    if (std::exchange(gap_, false)) text_ += '\n';
    text_ += lines;
  }

  std::size_t width_;
  Ansi ansi_;
  bool unicode_;
  std::string text_;
  bool gap_ = false;
};

void write_head(Page& page, const Document& document, bool verbose) {
  page.line("warning", incomplete_line(document), Style::warning);
  // A sanitizer's numbers must not be taken for real ones.
  if (verbose || !document.tool.sanitizers.empty()) page.line("tool", tool_line(document));
  if (verbose) page.line("command", join(document.argv, " "));
  if (verbose) page.line("started", document.started);
  page.line("machine", document.machine.name);
  page.line("method", method_line(document));
  if (!verbose) return;
  for (const auto& [name, value] : document.environment) page.line("env", name + "=" + value);
}

void write_blocks(Page& page, const std::vector<SweepBlock>& blocks) {
  for (const SweepBlock& block : blocks) {
    page.gap();
    if (block.entries.empty()) {
      page.paragraph(fmt::format("{}, {} ranks: no strategy ran", block.name(), block.ranks), Style::heading);
      continue;
    }
    page.paragraph(fmt::format("{}, {} ranks: {} per call (median, slowest rank)", block.name(), block.ranks,
                               time_unit(block).name),
                   Style::heading);
    page.block(block);
  }
  page.paragraph(legend(blocks), Style::faint);
}

Style style_of(Severity severity) {
  if (severity == Severity::error) return Style::error;
  return severity == Severity::warning ? Style::warning : Style::note;
}

void write_detail(Page& page, const Finding& finding, bool evidence) {
  if (evidence) {
    for (const std::string& line : finding.evidence) page.below(line);
  }
  if (!finding.remedy.empty()) page.below(finding.remedy, "fix: ");
}

void write_conclusions(Page& page, const Conclusions& conclusions, bool verbose) {
  page.gap();
  for (const FindingGroup& group : conclusions.findings) {
    const Finding& finding = *group.finding;
    if (finding.severity == Severity::note && !verbose) continue;
    page.line(to_string(finding.severity), group.sentence(), style_of(finding.severity));
    write_detail(page, finding, verbose || finding.severity == Severity::error);
    if (verbose && finding.severity == Severity::warning) page.below("--silence " + finding.kind, "hide: ");
  }
  for (const SkippedGroup& group : conclusions.skipped) {
    page.line("skipped", group.sentence(), Style::note);
    if (group.reason != nullptr) write_detail(page, *group.reason, verbose);
  }
  const std::size_t notes = verbose ? 0 : conclusions.untold_notes();
  if (notes > 0) page.line("notes", fmt::format("{} more with --verbose", notes), Style::note);
}

void write_answers(Page& page, const std::vector<SweepBlock>& blocks) {
  page.gap();
  for (const SweepBlock& block : blocks) {
    const std::string text = answer(block);
    if (text.empty()) continue;
    page.line("verdict", blocks.size() == 1 ? text : block.name() + ": " + text);
  }
}

// The short answer of run-spec: tables, what decides, one recommendation.
void write_spec(Page& page, const SpecResult& spec, bool verbose) {
  for (const TitledGrid& table : spec_tables(spec, verbose)) page.grid(table);
  page.gap();
  for (const std::string& sentence : spec.decides) page.line("decides", sentence);
  page.line("verdict", spec.recommendation);
  page.below(spec.confidence);
}

// Latency over size of each block; of run-spec where speculation breaks even.
void write_plots(Page& page, std::span<const NamedDocument> documents) {
  std::vector<Figure> figures;
  for (const NamedDocument& part : documents) {
    if (!part.document->spec) continue;
    for (Figure& figure : spec_figures(*part.document->spec)) figures.push_back(std::move(figure));
  }
  if (figures.empty()) figures = sweep_figures(documents);
  for (const Figure& figure : figures) {
    const bool of_sweep = figure.x.quantity == AxisQuantity::bytes;
    if (!of_sweep || figure.y.quantity == AxisQuantity::nanoseconds) page.plot(figure);
  }
}

void write_comparison(Page& page, const Document& document, const RenderOptions& options) {
  page.line("machine", document.machine.name);
  page.line("base", side_line(document.comparison->base));
  page.line("new", side_line(document.comparison->now));
  page.line("method", judgement_line(document));
  page.grid(comparison_grid(document, options.verbose));
  if (options.plot) {
    for (const Figure& figure : comparison_figures(document)) page.plot(figure);
  }
  write_conclusions(page, conclude(document), options.verbose);
  page.gap();
  page.line("verdict", verdict_counts(document));
}

class TableWriter final : public Writer {
 public:
  std::string_view name() const override { return "table"; }
  std::string_view summary() const override { return "for people, on a terminal"; }
  std::string render(const Document& document, const RenderOptions& options) const override {
    if (document.trace) return trace_text(document, options);
    const NamedDocument alone{"", &document};
    Page page(options);
    if (document.comparison) {
      write_comparison(page, document, options);
      return std::move(page).end();
    }
    const std::vector<SweepBlock> blocks = sweep_blocks(document);
    write_head(page, document, options.verbose);
    if (document.spec) {
      if (options.verbose) write_blocks(page, blocks);
      write_conclusions(page, conclude(document), options.verbose);
      if (options.plot) write_plots(page, {&alone, 1});
      write_spec(page, *document.spec, options.verbose);
      return std::move(page).end();
    }
    write_blocks(page, blocks);
    if (options.plot) write_plots(page, {&alone, 1});
    if (options.verbose) page.grid(first_call_grid(document));
    write_conclusions(page, conclude(document), options.verbose);
    write_answers(page, blocks);
    return std::move(page).end();
  }
  bool takes_several() const override { return true; }
  std::string render_several(std::span<const NamedDocument> documents,
                             const RenderOptions& options) const override {
    Page page(options);
    for (const TitledGrid& grid : beside(documents)) page.grid(grid);
    if (options.plot) write_plots(page, documents);
    return std::move(page).end();
  }
};

const RegisterWriter<TableWriter> registered;

}  // namespace
}  // namespace ringside
