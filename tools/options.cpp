#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

constexpr const char* kHelp = "--help";

UsageError unknown(const OptionTable& table, const std::string& subcommand, const std::string& argument) {
  if (!argument.starts_with('-'))
    return UsageError(fmt::format("unexpected argument '{}' for {}", argument, subcommand));
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names = {kHelp};
  for (const OptionSpec& spec : table.specs()) {
    if (!spec.is_argument()) names.push_back(spec.name);
  }
  return UsageError(fmt::format("unknown option '{}' for {}{}", name, subcommand, did_you_mean(name, names)));
}

// What CLI11 found for each entry of the table.
struct Given {
  const OptionSpec* spec;
  CLI::Option* option;
};

Given declare(CLI::App& app, const OptionSpec& spec) {
  if (spec.value.empty() && !spec.is_argument()) return {&spec, app.add_flag(spec.name)};
  // The values are taken from Option::results(), so that conversion and its messages are the table's own.
  CLI::Option* option = app.add_option(spec.name, [](const CLI::results_t&) { return true; });
  option->multi_option_policy(spec.repeatable ? CLI::MultiOptionPolicy::TakeAll
                                              : CLI::MultiOptionPolicy::TakeLast);
  option->expected(spec.values)->allow_extra_args(spec.is_argument() && spec.repeatable);
  return {&spec, option};
}

void apply(const OptionSpec& spec, const std::string& value) {
  // CLI11 takes whatever follows.
  if (!spec.is_argument() && !spec.is_rest && value.starts_with("--"))
    throw UsageError(fmt::format("{} needs a value, but '{}' follows", spec.name, value));
  try {
    spec.apply(value);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", spec.name, problem.what()));
  }
}

}  // namespace

void OptionTable::value(std::string name, std::string value, std::string help,
                        std::function<void(const std::string&)> apply) {
  specs_.push_back({.name = std::move(name),
                    .value = std::move(value),
                    .help = std::move(help),
                    .group = group_,
                    .apply = std::move(apply)});
}

void OptionTable::repeatable(std::string name, std::string value, std::string help,
                             std::function<void(const std::string&)> apply) {
  this->value(std::move(name), std::move(value), std::move(help), std::move(apply));
  specs_.back().repeatable = true;
}

void OptionTable::pair(std::string name, std::string values, std::string help,
                       std::function<void(const std::string&, const std::string&)> apply) {
  repeatable(
      std::move(name), std::move(values), std::move(help),
      [apply = std::move(apply), first = std::optional<std::string>()](const std::string& text) mutable {
        if (!first) {
          first = text;
        } else {
          apply(*std::exchange(first, {}), text);
        }
      });
  specs_.back().values = 2;
}

void OptionTable::flag(std::string name, std::string help, bool& target) {
  value(std::move(name), "", std::move(help), [&target](const std::string&) { target = true; });
}

void OptionTable::argument(std::string name, std::string help,
                           std::function<void(const std::string&)> apply) {
  specs_.push_back({.name = std::move(name),
                    .value = "",
                    .help = std::move(help),
                    .group = "Arguments",
                    .apply = std::move(apply)});
}

void OptionTable::arguments(std::string name, std::string help,
                            std::function<void(const std::string&)> apply) {
  argument(std::move(name), std::move(help), std::move(apply));
  specs_.back().repeatable = true;
}

void OptionTable::rest(std::string name, std::string help, std::function<void(const std::string&)> apply) {
  argument(std::move(name), std::move(help), std::move(apply));
  specs_.back().repeatable = specs_.back().is_rest = true;
}

std::vector<std::string> arguments_without(const OptionTable& table, std::span<const std::string> arguments,
                                           std::span<const std::string> drop) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string name = word.substr(0, word.find('='));
    const auto spec = std::ranges::find(table.specs(), name, &OptionSpec::name);
    const bool known = spec != table.specs().end() && !spec->is_argument();
    const std::size_t values = known && !spec->value.empty() ? static_cast<std::size_t>(spec->values) : 0;
    const std::size_t words = values == 0 ? 1 : values + (name == word ? 1 : 0);
    if (!known || std::ranges::find(drop, name) == drop.end()) {
      for (std::size_t k = i; k < std::min(i + words, arguments.size()); ++k) kept.push_back(arguments[k]);
    }
    i += words - 1;
  }
  return kept;
}

ParseOutcome parse_options(const OptionTable& table, const std::string& subcommand,
                           std::span<const std::string> arguments) {
  const auto takes_rest =
      std::ranges::find_if(table.specs(), [](const OptionSpec& spec) { return spec.is_rest; });
  std::span<const std::string> rest;
  if (takes_rest != table.specs().end()) {
    const auto dashes = static_cast<std::size_t>(std::ranges::find(arguments, "--") - arguments.begin());
    if (dashes < arguments.size()) rest = arguments.subspan(dashes + 1);
    arguments = arguments.first(dashes);
  }
  CLI::App app;
  app.set_help_flag("-h,--help");
  app.allow_extras();  // reported below, with the nearest name
  std::vector<Given> given;
  for (const OptionSpec& spec : table.specs())
    if (!spec.is_rest) given.push_back(declare(app, spec));
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return ParseOutcome::help;
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string what = mismatch.what();  // begins with the option's name in every version
    const std::string name = what.substr(0, what.find(':'));
    const auto spec = std::ranges::find(table.specs(), name, &OptionSpec::name);
    const bool pair = spec != table.specs().end() && spec->values == 2;
    throw UsageError(fmt::format("{} needs {}", name, pair ? "two values" : "a value"));
  } catch (const CLI::ParseError& problem) {
    throw UsageError(problem.what());
  }
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");  // CLI11 keeps the mark behind which nothing is an option
  for (const std::string& extra : extras) {
    if (extra.starts_with('-')) throw unknown(table, subcommand, extra);
  }
  if (!extras.empty()) throw unknown(table, subcommand, extras.front());
  for (const std::string& word : rest) apply(*takes_rest, word);
  for (const auto& [spec, option] : given) {
    if (option->count() == 0) continue;
    const std::vector<std::string>& results = option->results();
    if (results.size() % static_cast<std::size_t>(spec->values) != 0)
      throw UsageError(fmt::format("{} needs two values", spec->name));
    if (spec->repeatable) {
      for (const std::string& result : results) apply(*spec, result);
    } else {
      apply(*spec, results.back());
    }
  }
  return ParseOutcome::run;
}

}  // namespace ringside
