#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/render/plot.hpp"
#include "report/render/text_grid.hpp"
#include "report/render/wrap.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

constexpr std::size_t kLabel = 9;  // columns of "machine  ", "warning  "
constexpr std::size_t kWidestPlot = 100;
constexpr std::size_t kWho = 12;  // columns
constexpr std::size_t kTime = 9;
constexpr std::size_t kWhere = 40;
constexpr std::size_t kLeastWhat = 30;

// What it does, and how far that is sure.
std::string step_text(const StepItem& step) {
  std::string text = step.hedge.empty() ? step.what : step.hedge + ": " + step.what;
  return step.mark.empty() ? text : text + "  <== " + step.mark;
}

// Who, when, where and what; with `verbose` its reasons and its condition below.
std::string render_step(const StepItem& step, std::size_t width, bool verbose, const Ansi& ansi) {
  const std::string where = printable(step.where);
  std::string lead = "  " + pad(printable(step.who), kWho);
  if (step.time_s) lead += pad(fmt::format("{:.2f}s ", *step.time_s), kTime, true);
  lead += pad(where, kWhere) + ' ';
  const std::string indent(4 + kWho, ' ');
  const bool apart = display_width(lead) + kLeastWhat > width || where.size() > kWhere;
  std::string text = apart ? line_start(lead) + '\n' + wrap(indent, step_text(step), width)
                           : wrap(lead, step_text(step), width);
  if (!step.mark.empty()) {
    text.pop_back();
    text = ansi.paint(Style::error, text) + '\n';
  }
  if (!step.because.empty() && (verbose || step.explained))
    text += ansi.paint(Style::faint, wrap(indent + "as ", step.because, width));
  if (verbose && !step.condition.empty())
    text += ansi.paint(Style::faint, wrap(indent + "if ", step.condition, width));
  return text;
}

// The sections of a View, one below the other, with a word before each paragraph in the colour of its kind.
class Page {
 public:
  Page(const View& view, const RenderOptions& options)
      : options_(options),
        width_(static_cast<std::size_t>(std::max(options.width, view.least_columns))),
        ansi_(options.color) {
    for (const HeadLine& head : view.head) line(head.label, head.text, head.style);
    for (const Section& section : view.sections)
      std::visit([this](const auto& part) { add(part); }, section.part);
  }
  std::string end() && { return std::move(text_); }

 private:
  void add(const TitledGrid& grid) {
    if (grid.empty()) return;
    gap();
    paragraph(grid.title, Style::heading);
    write(render_grid(wrap_columns(grid.columns, width_), ansi_));
    paragraph(grid.note, Style::faint);
  }

  void add(const Matrix& matrix) {
    gap();
    paragraph(matrix.subject + ": " + matrix.what, Style::heading);
    if (!matrix.candidates.empty()) write(render_matrix(matrix, width_, ansi_));
  }

  void add(const Legend& legend) { paragraph(legend.text, Style::faint); }
  void add(const Remark& remark) { paragraph(remark.text, Style::plain); }

  void add(const std::vector<Figure>& figures) {
    const PlotOptions size{.width = static_cast<int>(std::min(width_, kWidestPlot)),
                           .unicode = options_.unicode};
    for (const Figure& figure : figures) {
      const std::string text = figure.first_glance ? render_plot(figure, size) : "";
      if (text.empty()) continue;
      gap();
      write(text);
    }
  }

  void add(const Findings& findings) {
    gap();
    const bool verbose = options_.verbose;
    for (const FindingItem& item : findings.items) {
      if (item.severity == Severity::note && !verbose && !findings.story) continue;
      line(item.label, item.text, item.style);
      write_detail(item, verbose || findings.story || item.severity == Severity::error,
                   findings.story ? "- " : "  ");
      if (verbose && !findings.story && item.severity == Severity::warning)
        below("--silence " + item.kind, "hide: ");
    }
    for (const FindingItem& item : findings.skipped) {
      line(item.label, item.text, item.style);
      write_detail(item, verbose, "  ");
    }
    if (!verbose && findings.untold_notes > 0)
      line("notes", fmt::format("{} more with --verbose", findings.untold_notes), Style::note);
  }

  void add(const Answers& answers) {
    gap();
    for (const Answer& answer : answers.answers) {
      for (const std::string& reason : answer.reasons) line("decides", reason);
      const bool named = !answers.single && !answer.about.empty();
      line(answer.label, named ? answer.about + ": " + answer.text : answer.text, answer.style);
      if (!answer.below.empty()) below(answer.below);
    }
  }

  void add(const StepList& steps) {
    if (steps.steps.empty()) return;
    gap();
    paragraph("steps", Style::heading);
    for (const StepItem& step : steps.steps) write(render_step(step, width_, options_.verbose, ansi_));
    if (steps.hidden > 0)
      below(fmt::format("{} more steps (skipped, or checks that held) with --verbose", steps.hidden), "");
  }

  void add(const Backtrace& trace) {
    gap();
    line("death", trace.message.empty() ? trace.error : trace.error + ": " + trace.message, Style::error);
    for (const std::string& text : trace.more) below(text);
    if (!trace.phase.empty()) below(trace.phase, trace.error == "no traceback" ? "ended by " : "during ");
    if (trace.hidden > 0) below(fmt::format("{} outer frames with --verbose", trace.hidden));
    for (const Backtrace::Frame& frame : trace.frames)
      below(frame.source.empty() ? frame.place : frame.place + "  " + frame.source);
  }

  void add(const Alternatives& alternatives) {
    if (alternatives.items.empty()) return;
    gap();
    paragraph("what if", Style::heading);
    for (const Alternatives::Item& item : alternatives.items) {
      write(wrap("  ", fmt::format("{}  ->  {}", item.changes, item.outcome), width_));
      below(item.gives_up, "gives up ");
    }
  }

  void add(const FactList& list) {
    for (const auto& [name, value] : list.facts) line(name, value);
  }

  void add(const CodeLines& code) {
    if (code.lines.empty()) return;
    gap();
    paragraph(code.title, Style::heading);
    for (const std::string& text : code.lines) write(wrap("  ", text, width_));
  }

  void write_detail(const FindingItem& item, bool evidence, std::string_view lead) {
    if (evidence) {
      for (const std::string& fact : item.evidence) below(fact, lead);
    }
    if (!item.remedy.empty()) below(item.remedy, "fix: ");
    for (const std::string& text : item.patch)
      write(line_start(std::string(kLabel, ' ') + printable(text)) + '\n');
  }

  // Nothing is written for an empty text. The label is painted afterwards: escape sequences have no width.
  void line(std::string_view name, std::string_view text, Style style = Style::heading) {
    if (text.empty()) return;
    const std::string label = line_start(printable(name));
    const std::string lines = wrap(pad(label, kLabel), text, width_);
    write(ansi_.paint(style, label) + lines.substr(label.size()));
  }
  void below(std::string_view text, std::string_view lead = "  ") {
    write(wrap(std::string(kLabel, ' ').append(lead), text, width_));
  }
  void paragraph(std::string_view text, Style style) {
    std::string lines = wrap("", text, width_);
    lines.pop_back();
    if (!lines.empty()) write(ansi_.paint(style, lines) + '\n');
  }
  void gap() { gap_ = !text_.empty(); }  // an empty line, if anything follows
  void write(const std::string& lines) {
    if (std::exchange(gap_, false)) text_ += '\n';
    text_ += lines;
  }

  const RenderOptions& options_;
  std::size_t width_;
  Ansi ansi_;
  std::string text_;
  bool gap_ = false;
};

class TableRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "table"; }
  std::string_view summary() const override { return "for people, on a terminal"; }
  ViewRequest request(const RenderOptions& options) const override {
    return {.room = Room::terminal, .verbose = options.verbose, .sections = true, .figures = options.plot};
  }
  std::string render_view(const View& view, const RenderOptions& options) const override {
    return Page(view, options).end();
  }
};

const RegisterWriter<TableRenderer> registered;

}  // namespace
}  // namespace ringside
