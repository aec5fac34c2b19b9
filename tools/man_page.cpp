#include "man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "base/text.hpp"
#include "help.hpp"

namespace ringside {
namespace {

// Text that troff shows as it is: no escape, no request at the start of a line, minus signs that can be
// copied.
std::string plain(std::string_view text) {
  std::string safe;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) safe += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

// As it is laid out.
std::string verbatim(std::string_view text) {
  return ".nf\n" + plain(text) + ".fi\n";
}

std::string option_entry(const OptionSpec& spec) {
  std::string text = fmt::format(".TP\n\\fB{}\\fR", plain(spec.name));
  if (!spec.value.empty()) text += fmt::format(" \\fI{}\\fR", plain(spec.value));
  for (const std::string& line : split(spec.help, '\n'))
    text += (text.ends_with("R") ? "\n" : "\n.br\n") + plain(line);
  return text + '\n';
}

std::string command_section(const DeclaredCommand& declared) {
  const Subcommand& command = *declared.command;
  std::string text = fmt::format(".SS ringside {} {}\n{}\n", plain(command.name()), plain(command.synopsis()),
                                 plain(command.details()));
  std::string group;
  for (const OptionSpec& spec : declared.options.specs()) {
    if (spec.group != group) text += fmt::format(".PP\n\\fI{}\\fR\n", plain(spec.group));
    group = spec.group;
    text += option_entry(spec);
  }
  return text + ".PP\nExamples:\n" + verbatim(command.examples());
}

}  // namespace

std::string man_page(std::span<const DeclaredCommand> commands) {
  std::string text = fmt::format(
      ".TH RINGSIDE 1 \"\" \"ringside {}\" \"User Commands\"\n"
      ".SH NAME\nringside \\- which allreduce strategy wins on this box, by how much, and is it real\n"
      ".SH SYNOPSIS\n\\fBringside\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
      "A toolkit for engineers who run large models on several GPUs.\n",
      plain(build_info().version));
  for (const DeclaredCommand& declared : commands)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(declared.command->name()),
                        plain(declared.command->summary()));
  text += ".SH COMMANDS\n";
  for (const DeclaredCommand& declared : commands) text += command_section(declared);
  text += ".SH EXIT STATUS\n" + verbatim(exit_status_text());
  return text;
}

}  // namespace ringside
