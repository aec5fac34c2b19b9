#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

// Nothing to be seen; what stands before and behind it is no address any more.
constexpr std::string_view kBreak = "\u200b";  // zero-width space

// Whether the # at `at` names an issue, of this repository or of another: #12, owner/name#12.
bool begins_number(std::string_view text, std::size_t at) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '-' || c == '_';
  };
  if (text[at] != '#' || at + 1 == text.size() || std::isdigit(static_cast<unsigned char>(text[at + 1])) == 0)
    return false;
  std::size_t begin = at;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return begin == at || text.substr(begin, at - begin).find('/') != std::string_view::npos;
}

// `text` as GitHub Markdown shows it unchanged, in a table cell and at the start of a line too. GitHub makes
// links of addresses and notifies whom a text mentions, whatever is escaped: these are broken.
std::string markdown_escaped(std::string_view text) {
  const std::string clean = printable(text);
  const std::size_t before = white_space(clean);
  std::string safe;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    const std::string_view rest = std::string_view(clean).substr(i);
    if (c == '&') {
      safe += "&amp;";
      continue;
    }
    const bool starts_command = i == before && rest.starts_with("::");
    if (starts_command || std::string_view("\\`*_[]<>|#~$").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
    if (c == '@' || (c == ':' && rest.starts_with("://")) || begins_number(clean, i)) safe += kBreak;
    if ((c == 'w' || c == 'W') && rest.substr(1, 1) == "." && i >= 2 && (clean[i - 1] | 0x20) == 'w' &&
        (clean[i - 2] | 0x20) == 'w')
      safe += kBreak;
  }
  return safe;
}

// Lines of a block of code, which nothing in them ends.
std::string fenced(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line_start(printable(line)) + '\n';
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fence + '\n' + text + fence + "\n\n";
}

std::string table_line(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

const char* rule(Align align) {
  return align == Align::right ? "---:" : ":---";
}

std::string matrix_cell(const MatrixCell& cell) {
  std::string shown = markdown_escaped(cell.mark + cell.value);
  if (cell.style == Style::winner || cell.style == Style::tied) shown = "**" + shown + "**";
  return cell.aside.empty() ? shown : shown + " " + markdown_escaped(cell.aside);
}

std::string answer_item(std::string_view label, std::string_view text) {
  return fmt::format("- **{}**: {}\n", markdown_escaped(label), markdown_escaped(text));
}

// A View as GitHub Markdown.
class Page {
 public:
  Page(const View& view, bool verbose) : verbose_(verbose) {
    text_ = fmt::format("### {}\n\n", markdown_escaped(view.heading));
    auto section = view.sections.begin();
    // An answer that comes first is what a page is opened for: it stands at the head.
    if (section != view.sections.end() && std::holds_alternative<Answers>(section->part))
      lead(std::get<Answers>((section++)->part), !view.head.empty());
    for (const HeadLine& line : view.head) text_ += answer_item(line.label, line.text);
    if (!view.head.empty()) text_ += '\n';
    for (; section != view.sections.end(); ++section)
      std::visit([this](const auto& part) { add(part); }, section->part);
  }
  std::string end() && { return std::move(text_); }

 private:
  void lead(const Answers& answers, bool listed) {
    for (const Answer& answer : answers.answers) {
      if (listed) {
        text_ += answer_item(answer.label, answer.text);
      } else {
        text_ += fmt::format("**{}**: {}\n\n", markdown_escaped(answer.about), markdown_escaped(answer.text));
      }
    }
  }

  void add(const Answers& answers) {
    for (const Answer& answer : answers.answers) {
      for (const std::string& reason : answer.reasons)
        text_ += fmt::format("- {}\n", markdown_escaped(reason));
      if (answer.below.empty()) {
        text_ +=
            answer_item(answers.single || answer.about.empty() ? answer.label : answer.about, answer.text);
      } else {
        text_ += fmt::format("- **{}** {}\n  - {}\n\n", markdown_escaped(answer.label),
                             markdown_escaped(answer.text), markdown_escaped(answer.below));
      }
    }
  }

  void add(const TitledGrid& grid) {
    if (grid.empty()) return;
    std::vector<std::string> names, rules;
    for (const GridColumn& column : grid.columns) {
      names.push_back(markdown_escaped(join(column.header, " ")));
      rules.emplace_back(rule(column.align));
    }
    text_ += fmt::format("**{}**\n\n", markdown_escaped(grid.title)) + table_line(names) + table_line(rules);
    for (std::size_t y = 0; y < grid.columns.front().cells.size(); ++y) {
      std::vector<std::string> cells;
      for (const GridColumn& column : grid.columns) cells.push_back(markdown_escaped(column.cells[y].text));
      text_ += table_line(cells);
    }
    text_ += grid.note.empty() ? "\n" : "\n" + markdown_escaped(grid.note) + "\n\n";
  }

  void add(const Matrix& matrix) {
    text_ += fmt::format("**{}**: {}\n\n", markdown_escaped(matrix.subject), markdown_escaped(matrix.what));
    if (matrix.candidates.empty()) return;
    std::vector<const MatrixColumn*> columns;
    for (const MatrixColumn& column : matrix.candidates) columns.push_back(&column);
    const std::size_t cells_with_marks = columns.size();
    if (matrix.verdicts) columns.push_back(&*matrix.verdicts);
    for (const MatrixColumn& column : matrix.best) columns.push_back(&column);
    std::vector<std::string> names = {markdown_escaped(matrix.key)}, rules = {rule(Align::right)};
    for (const MatrixColumn* column : columns) {
      names.push_back(markdown_escaped(join(column->header, " ")));
      rules.emplace_back(rule(column->align));
    }
    text_ += table_line(names) + table_line(rules);
    for (std::size_t y = 0; y < matrix.keys.size(); ++y) {
      std::vector<std::string> cells = {markdown_escaped(matrix.keys[y])};
      for (std::size_t x = 0; x < columns.size(); ++x) {
        const MatrixCell& cell = columns[x]->cells[y];
        cells.push_back(x < cells_with_marks ? matrix_cell(cell) : markdown_escaped(cell.value));
      }
      text_ += table_line(cells);
    }
    text_ += '\n';
  }

  void add(const Legend& legend) { text_ += markdown_escaped(legend.text) + "\n\n"; }
  void add(const Remark& remark) { text_ += markdown_escaped(remark.text) + "\n\n"; }

  void add(const std::vector<Figure>&) {}  // Markdown has none

  void add(const Findings& findings) {
    std::string text;
    for (const FindingItem& item : findings.items) {
      if (item.severity == Severity::note && !verbose_ && !findings.story) continue;
      text += item_text(item, verbose_ || findings.story || item.severity == Severity::error);
    }
    for (const FindingItem& item : findings.skipped) text += item_text(item, verbose_);
    text_ += text.empty() ? text : text + '\n';
  }

  static std::string item_text(const FindingItem& item, bool evidence) {
    std::string text = fmt::format("- **{}** {}\n", markdown_escaped(item.word), markdown_escaped(item.text));
    if (evidence) {
      for (const std::string& fact : item.evidence) text += "  - " + markdown_escaped(fact) + '\n';
    }
    if (!item.remedy.empty()) text += "  - fix: " + markdown_escaped(item.remedy) + '\n';
    if (!item.patch.empty()) text += '\n' + fenced(item.patch);
    return text;
  }

  void add(const StepList& steps) {
    if (steps.steps.empty()) return;
    text_ += "| who | where | what | because |\n| :--- | :--- | :--- | :--- |\n";
    for (const StepItem& step : steps.steps) {
      std::string what = markdown_escaped(step.what);
      if (!step.hedge.empty()) what = markdown_escaped(step.hedge) + ": " + what;
      if (!step.mark.empty()) what = fmt::format("**{}** (**{}**)", what, markdown_escaped(step.mark));
      text_ += table_line(
          {markdown_escaped(step.who), markdown_escaped(step.where), what, markdown_escaped(step.because)});
    }
    text_ += '\n';
  }

  void add(const Backtrace& trace) {
    std::vector<std::string> lines;
    for (const Backtrace::Frame& frame : trace.frames) lines.push_back(frame.place);
    lines.push_back(trace.message.empty() ? trace.error : trace.error + ": " + trace.message);
    lines.insert(lines.end(), trace.more.begin(), trace.more.end());
    text_ += fenced(lines);
  }

  void add(const Alternatives& alternatives) {
    for (const Alternatives::Item& item : alternatives.items)
      text_ += fmt::format("- what if {} → {} (gives up {})\n", markdown_escaped(item.changes),
                           markdown_escaped(item.outcome), markdown_escaped(item.gives_up));
  }

  void add(const FactList& list) {
    for (const auto& [name, value] : list.facts)
      text_ += fmt::format("- {}: {}\n", markdown_escaped(name), markdown_escaped(value));
    if (!list.facts.empty()) text_ += '\n';
  }

  void add(const CodeLines& code) {
    for (const std::string& line : code.lines) text_ += fmt::format("- {}\n", markdown_escaped(line));
    if (!code.lines.empty()) text_ += '\n';
  }

  bool verbose_;
  std::string text_;
};

class MarkdownRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "md"; }
  std::string_view summary() const override { return "GitHub Markdown, to paste into an issue"; }
  ViewRequest request(const RenderOptions& options) const override {
    return {.room = Room::document, .verbose = options.verbose, .sections = true};
  }
  std::string render_view(const View& view, const RenderOptions& options) const override {
    return Page(view, options.verbose).end();
  }
};

const RegisterWriter<MarkdownRenderer> registered;

}  // namespace
}  // namespace ringside
