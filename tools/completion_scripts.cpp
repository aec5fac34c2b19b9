#include "completion_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace ringside {
namespace {

// Values that are files, or may be one.
bool takes_file(const OptionSpec& spec) {
  const std::string& kind = spec.is_argument() ? spec.name : spec.value;
  for (const char* word : {"FILE", "DIR", "BINARY", "SCENARIO", "BASE", "NEW", "BEFORE"}) {
    if (kind.find(word) != std::string::npos) return true;
  }
  return false;
}

bool takes_value(const OptionSpec& spec) {
  return !spec.is_argument() && !spec.value.empty();
}

std::vector<std::string> option_names(const OptionTable& options) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : options.specs()) {
    if (!spec.is_argument() && !spec.is_rest) names.push_back(spec.name);
  }
  names.emplace_back("--help");
  return names;
}

// The words that an argument of the command may be, and whether it may be a file.
std::vector<std::string> argument_choices(const OptionTable& options, bool& file) {
  std::vector<std::string> words;
  for (const OptionSpec& spec : options.specs()) {
    if (!spec.is_argument() || spec.is_rest) continue;
    words.insert(words.end(), spec.choices.begin(), spec.choices.end());
    file = file || takes_file(spec);
  }
  return words;
}

// In single quotes, for any of the shells.
std::string in_quotes(std::string_view text) {
  std::string safe = "'";
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
    } else {
      safe += c;
    }
  }
  return safe + "'";
}

// The first sentence of a help text.
std::string brief(const std::string& help) {
  const std::string line = help.substr(0, help.find('\n'));
  const std::size_t dot = line.find(". ");
  return dot == std::string::npos ? line : line.substr(0, dot);
}

std::string bash_case(const DeclaredCommand& declared) {
  const std::string name(declared.command->name());
  std::vector<std::string> files, others;
  std::string text;
  for (const OptionSpec& spec : declared.options.specs()) {
    if (!takes_value(spec)) continue;
    const std::string pattern = fmt::format("'{} {}'", name, spec.name);
    if (!spec.choices.empty()) {
      text += fmt::format("    {}) words={};{} ;;\n", pattern, in_quotes(join(spec.choices, " ")),
                          takes_file(spec) ? " files=1" : "");
    } else {
      (takes_file(spec) ? files : others).push_back(pattern);
    }
  }
  if (!files.empty()) text += fmt::format("    {}) files=1 ;;\n", join(files, " | "));
  if (!others.empty()) text += fmt::format("    {}) return ;;\n", join(others, " | "));
  return text;
}

std::string bash_arguments(const DeclaredCommand& declared) {
  bool file = false;
  const std::vector<std::string> words = argument_choices(declared.options, file);
  return fmt::format("        {}) options={} words={}{} ;;\n", declared.command->name(),
                     in_quotes(join(option_names(declared.options), " ")), in_quotes(join(words, " ")),
                     file ? " files=1" : "");
}

// What zsh's _arguments reads: no colon and no bracket of the text may be taken for its own.
std::string zsh_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string zsh_action(const OptionSpec& spec) {
  if (!spec.choices.empty() && takes_file(spec))
    return fmt::format("{{ compadd -- {}; _files }}", join(spec.choices, " "));
  if (!spec.choices.empty()) return fmt::format("({})", zsh_text(join(spec.choices, " ")));
  return takes_file(spec) ? "_files" : " ";
}

std::string zsh_specs(const DeclaredCommand& declared) {
  std::string text;
  int place = 1;
  for (const OptionSpec& spec : declared.options.specs()) {
    if (spec.is_rest) continue;
    std::string word;
    if (spec.is_argument()) {
      const std::string where = spec.repeatable ? "*" : fmt::format("{}", place++);
      word = fmt::format("{}:{}:{}", where, zsh_text(spec.name), zsh_action(spec));
    } else {
      word = fmt::format("{}{}[{}]", spec.repeatable ? "*" : "", spec.name, zsh_text(brief(spec.help)));
      if (takes_value(spec)) word += fmt::format(":{}:{}", zsh_text(spec.value), zsh_action(spec));
    }
    text += " \\\n          " + in_quotes(word);
  }
  return text;
}

std::string fish_value(const OptionSpec& spec) {
  std::string text = " -r";
  if (!spec.choices.empty()) text += " -a " + in_quotes(join(spec.choices, " "));
  return text + (takes_file(spec) ? " -F" : " -f");
}

}  // namespace

std::string bash_completion(std::span<const DeclaredCommand> commands) {
  std::vector<std::string> names;
  std::string values, arguments;
  for (const DeclaredCommand& declared : commands) {
    names.emplace_back(declared.command->name());
    values += bash_case(declared);
    arguments += bash_arguments(declared);
  }
  names.insert(names.end(), {"--help", "--version"});
  return fmt::format(R"(# Completion of ringside for bash; made by `ringside completion bash`.
_ringside() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} words='' options='' files=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W {} -- "$cur")
    return
  fi
  # bash takes --option=value apart.
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  case "${{COMP_WORDS[1]}} $prev" in
{}    *)
      case "${{COMP_WORDS[1]}}" in
{}      esac
      if [[ $cur == -* ]]; then
        words=$options files=''
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$cur"
    if [[ -n $files ]]; then compgen -f -- "$cur"; fi
  )
  if [[ -n $files ]]; then compopt -o filenames 2>/dev/null; fi
}}
complete -F _ringside ringside
)",
                     in_quotes(join(names, " ")), values, arguments);
}

std::string zsh_completion(std::span<const DeclaredCommand> commands) {
  std::string names, cases;
  for (const DeclaredCommand& declared : commands) {
    const Subcommand& command = *declared.command;
    names += fmt::format("        {}\n",
                         in_quotes(fmt::format("{}:{}", command.name(), zsh_text(command.summary()))));
    cases +=
        fmt::format("        {})\n          _arguments{} \\\n          '--help[This text.]'\n          ;;\n",
                    command.name(), zsh_specs(declared));
  }
  return fmt::format(R"(#compdef ringside
# Completion of ringside for zsh; made by `ringside completion zsh`.
_ringside() {{
  local curcontext=$curcontext state line
  local -a commands
  _arguments -C '--help[This text.]' '--version[How this binary was built.]' '1:command:->command' '*::argument:->arguments'
  case $state in
    command)
      commands=(
{}      )
      _describe command commands
      ;;
    arguments)
      case $line[1] in
{}      esac
      ;;
  esac
}}
_ringside "$@"
)",
                     names, cases);
}

std::string fish_completion(std::span<const DeclaredCommand> commands) {
  std::string text =
      "# Completion of ringside for fish; made by `ringside completion fish`.\n"
      "complete -c ringside -f\n"
      "complete -c ringside -n __fish_use_subcommand -l help -d 'This text.'\n"
      "complete -c ringside -n __fish_use_subcommand -l version -d 'How this binary was built.'\n";
  for (const DeclaredCommand& declared : commands) {
    const std::string name(declared.command->name());
    text += fmt::format("complete -c ringside -n __fish_use_subcommand -a {} -d {}\n", name,
                        in_quotes(declared.command->summary()));
    const std::string lead = fmt::format("complete -c ringside -n '__fish_seen_subcommand_from {}'", name);
    for (const OptionSpec& spec : declared.options.specs()) {
      if (spec.is_rest) continue;
      if (spec.is_argument()) {
        if (!spec.choices.empty())
          text += fmt::format("{} -a {}\n", lead, in_quotes(join(spec.choices, " ")));
        if (takes_file(spec)) text += lead + " -F\n";
        continue;
      }
      const std::string letter =
          spec.name.starts_with("--") ? "-l " + spec.name.substr(2) : "-s " + spec.name.substr(1);
      text += fmt::format("{} {} -d {}{}\n", lead, letter, in_quotes(brief(spec.help)),
                          takes_value(spec) ? fish_value(spec) : "");
    }
    text += lead + " -l help -d 'This text.'\n";
  }
  return text;
}

}  // namespace ringside
