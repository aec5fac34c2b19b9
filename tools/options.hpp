#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ringside {

// One option, flag or argument of a subcommand. Parsing, help and whatever else lists options read this
// table.
struct OptionSpec {
  std::string name;   // "--ranks"; an argument: "SCENARIO"
  std::string value;  // "N"; empty: a flag
  std::string help;
  std::string group;  // heading in the help
  // Takes the value given ("" for a flag). Throws UsageError; the option's name is put before the message.
  std::function<void(const std::string&)> apply;
  // Given several times, each value counts; otherwise the last one.
  bool repeatable = false;

  // Values that are known by name, for completion; others may be valid too.
  std::vector<std::string> choices = {};

  // Values that it takes at a time, each given to `apply`.
  int values = 1;

  // The words behind `--`, as they are.
  bool is_rest = false;

  bool is_argument() const { return !name.starts_with('-'); }
};

class OptionTable {
 public:
  // Heading for the options that follow.
  void group(std::string title) { group_ = std::move(title); }

  void value(std::string name, std::string value, std::string help,
             std::function<void(const std::string&)> apply);
  void repeatable(std::string name, std::string value, std::string help,
                  std::function<void(const std::string&)> apply);
  // Two values: "--metrics BEFORE AFTER".
  void pair(std::string name, std::string values, std::string help,
            std::function<void(const std::string&, const std::string&)> apply);
  void flag(std::string name, std::string help, bool& target);
  // Whatever follows `--`: words of somebody else's command line, each given to `apply`.
  void rest(std::string name, std::string help, std::function<void(const std::string&)> apply);
  // Positional arguments, one or more, each given to `apply`.
  void arguments(std::string name, std::string help, std::function<void(const std::string&)> apply);
  // An optional positional argument.
  void argument(std::string name, std::string help, std::function<void(const std::string&)> apply);

  // Of the option or argument declared last.
  void choices(std::vector<std::string> names) { specs_.back().choices = std::move(names); }

  std::span<const OptionSpec> specs() const { return specs_; }

 private:
  std::string group_ = "Options";
  std::vector<OptionSpec> specs_;
};

// The words of `arguments` without those options, and their values, that `drop` names: for another process
// that is to be called alike.
std::vector<std::string> arguments_without(const OptionTable& table, std::span<const std::string> arguments,
                                           std::span<const std::string> drop);

enum class ParseOutcome { run, help };

// Applies `arguments` (those after the subcommand) to the table, in the order of the table. Help: -h or
// --help was among them; nothing has been applied. Throws UsageError that names the nearest option.
ParseOutcome parse_options(const OptionTable& table, const std::string& subcommand,
                           std::span<const std::string> arguments);

}  // namespace ringside
