#include "report/github.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"
#include "report/conclusions.hpp"
#include "report/headline.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMost = 10;
constexpr std::size_t kSummaryBytes = (1u << 20) - 1024;  // with room for what else the step writes

// Values of a workflow command end at a line's end; those of a property also at a colon or a comma.
std::string escaped(std::string_view text, bool property) {
  std::string safe;
  for (const char c : text) {
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

std::string message_of(const FindingGroup& group) {
  std::vector<std::string> lines = {group.sentence()};
  lines.insert(lines.end(), group.finding->evidence.begin(), group.finding->evidence.end());
  if (!group.finding->remedy.empty()) lines.push_back("fix: " + group.finding->remedy);
  return join(lines, "\n");
}

}  // namespace

std::string github_annotations(const Document& document) {
  std::vector<std::string> commands;
  for (const FindingGroup& group : conclude(document).findings) {  // errors come first
    const Severity severity = group.finding->severity;
    if (severity == Severity::note) continue;
    commands.push_back(command(
        severity, fmt::format("ringside {}: {}", document.command, group.finding->kind), message_of(group)));
  }
  if (const std::string line = incomplete_line(document); !line.empty())
    commands.push_back(command(Severity::warning, "ringside " + document.command, line));
  if (commands.size() > kMost) {
    const std::size_t left = commands.size() - (kMost - 1);
    commands.resize(kMost - 1);
    commands.push_back(command(Severity::warning, "ringside " + document.command,
                               fmt::format("{} more in the summary of this job", left)));
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
