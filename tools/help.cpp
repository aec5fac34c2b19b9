#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/build_info.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kWidestLeft = 34;  // a longer left column gets a line of its own

constexpr std::string_view kExitStatus = R"(
Exit status:
  0  done                            5  a time-out or a lost rank
  1  a bug in ringside               6  a regression, or not what was expected
  2  wrong arguments or scenario     7  cases of the base have no new time
  3  this machine can't do it      130  interrupted; what is finished is kept
  4  a collective gave wrong data
)";

// `text` in lines of at most `width` columns; its own line breaks stay.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& paragraph : split(text, '\n')) {
    std::string line;
    for (const std::string& word : split(paragraph, ' ')) {
      if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
        lines.push_back(line);
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    lines.push_back(line);
  }
  return lines;
}

struct Entry {
  std::string left;
  std::string right;
};

std::string columns(std::span<const Entry> entries) {
  std::size_t left_width = 0;
  for (const Entry& entry : entries) {
    if (entry.left.size() <= kWidestLeft) left_width = std::max(left_width, entry.left.size());
  }
  const std::size_t right_at = kIndent + left_width + 2;
  std::string text;
  for (const Entry& entry : entries) {
    std::string line = std::string(kIndent, ' ') + entry.left;
    if (line.size() + 2 > right_at) {
      text += line + '\n';
      line.clear();
    }
    for (const std::string& part : wrap(entry.right, kWidth - right_at)) {
      text += pad(line, right_at) + part + '\n';
      line.clear();
    }
  }
  return text;
}

std::string left_of(const OptionSpec& spec) {
  return spec.value.empty() ? spec.name : fmt::format("{} {}", spec.name, spec.value);
}

// The groups of a table, each under its heading, in the order in which they first appear.
std::string option_groups(const OptionTable& options) {
  std::vector<std::pair<std::string, std::vector<Entry>>> groups;
  for (const OptionSpec& spec : options.specs()) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == spec.group; });
    if (group == groups.end()) group = groups.insert(groups.end(), {spec.group, {}});
    group->second.push_back({left_of(spec), spec.help});
  }
  groups.back().second.push_back({"-h, --help", "This text."});
  std::string text;
  for (const auto& [title, entries] : groups) text += fmt::format("\n{}:\n{}", title, columns(entries));
  return text;
}

}  // namespace

std::string_view exit_status_text() {
  return kExitStatus.substr(kExitStatus.find(':') + 2);
}

std::string main_help(std::span<const std::unique_ptr<Subcommand>> subcommands) {
  std::vector<Entry> commands;
  for (const auto& subcommand : subcommands) {
    commands.push_back({std::string(subcommand->name()), std::string(subcommand->summary())});
  }
  const std::vector<Entry> options = {
      {"-h, --help", "This text; `ringside COMMAND --help` explains a command."},
      {"--version", "Version, commit and how this binary was built."}};
  return fmt::format(
      "Usage: ringside COMMAND [OPTIONS]\n\n"
      "A ringside seat at the fight between allreduce strategies: which one wins on this box, by how\n"
      "much, and whether the number can be trusted.\n"
      "\nCommands:\n{}\nOptions:\n{}{}"
      "\nExample:\n  ringside probe-comm\n",
      columns(commands), columns(options), kExitStatus);
}

std::string subcommand_help(const Subcommand& subcommand, const OptionTable& options) {
  std::string text = fmt::format("Usage: ringside {} {}\n\n", subcommand.name(), subcommand.synopsis());
  for (const std::string& line : wrap(subcommand.details(), kWidth)) text += line + '\n';
  text += option_groups(options);
  text += kExitStatus;
  text += fmt::format("\nExamples:\n{}", subcommand.examples());
  return text;
}

}  // namespace ringside
