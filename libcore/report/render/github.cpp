#include "report/render/github.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMost = 10;
constexpr std::size_t kSummaryBytes = (1u << 20) - 1024;  // with room for what else the step writes

// Lines stay lines, all else is printable.
std::string line_feeds(std::string_view text) {
  std::string safe;
  for (const std::string& line : split(text, '\n')) safe += (safe.empty() ? "" : "\n") + printable(line);
  return safe;
}

// Values of a workflow command end at a line's end; those of a property also at a colon or a comma.
std::string escaped(std::string_view text, bool property) {
  std::string safe;
  for (const char c : line_feeds(text)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special) {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string command(Severity severity, std::string_view title, std::string_view message) {
  return fmt::format("::{} title={}::{}\n", severity == Severity::error ? "error" : "warning",
                     escaped(title, true), escaped(message, false));
}

std::string message_of(const FindingItem& item) {
  std::vector<std::string> lines = {item.about.empty() ? item.text : item.about + ": " + item.text};
  lines.insert(lines.end(), item.evidence.begin(), item.evidence.end());
  if (!item.remedy.empty()) lines.push_back("fix: " + item.remedy);
  return join(lines, "\n");
}

}  // namespace

std::string github_annotations(const Document& document) {
  const View view = view_of(document, {.room = Room::page, .sections = true, .summary = true});
  const std::string title = "ringside " + view.command;
  std::vector<std::string> commands;
  for (const Section& section : view.sections) {
    const auto* findings = std::get_if<Findings>(&section.part);
    if (findings == nullptr) continue;
    for (const FindingItem& item : findings->items) {  // errors come first
      if (item.severity != Severity::note)
        commands.push_back(command(item.severity, title + ": " + item.kind, message_of(item)));
    }
  }
  for (const HeadLine& line : view.head) {
    if (line.style == Style::warning) commands.push_back(command(Severity::warning, title, line.text));
  }
  if (commands.size() > kMost) {
    const std::size_t left = commands.size() - (kMost - 1);
    commands.resize(kMost - 1);
    commands.push_back(
        command(Severity::warning, title, fmt::format("{} more in the summary of this job", left)));
  }
  return join(commands, "");
}

std::string github_summary(const Document& document) {
  std::string text = find_writer("md")->render(document, {});
  if (text.size() <= kSummaryBytes) return text;
  text.resize(text.rfind('\n', kSummaryBytes) + 1);
  return text + "\n(cut here: a step may add 1 MiB)\n";
}

}  // namespace ringside
