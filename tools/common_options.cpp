#include "common_options.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

void CommonOptions::declare_outputs(OptionTable& options) {
  options.group("Output (FILE may be - for stdout; several may be given)");
  for (const Writer* writer : all_writers()) {
    if (writer->name() == "table") continue;  // what stdout gets anyway
    options.value(fmt::format("--{}", writer->name()), "FILE", std::string(writer->summary()),
                  [this, writer](const std::string& path) { outputs.emplace_back(writer, path); });
  }
  options.flag(
      "--github",
      "Annotations for GitHub Actions on stderr; the whole in GITHUB_STEP_SUMMARY. Given by itself where "
      "GITHUB_ACTIONS is true, unless --quiet.",
      github);
  options.repeatable(
      "--silence", "ID",
      "Leave a warning out: its kind (pinning), or its id in the JSON (pinning:host). Errors stay, "
      "and the JSON has all.",
      [this](const std::string& id) { silenced.push_back(id); });
}

void CommonOptions::declare_plot(OptionTable& options) {
  options.flag("--plot", "Draw the curves below the table too.", plot);
}

void CommonOptions::declare_display(OptionTable& options) {
  options.group("Display");
  options.value("--color", "WHEN", "auto, always or never; auto is a terminal without NO_COLOR [auto]",
                [this](const std::string& text) { color = parse_color_choice(text); });
  options.choices({"auto", "always", "never"});
  options.flag("--quiet", "Nothing on stderr but errors.", quiet);
  options.flag("--verbose", "Log lines on stderr instead of the progress line; evidence below the table.",
               verbose);
}

void CommonOptions::check() const {
  if (quiet && verbose) throw UsageError("--quiet and --verbose contradict each other");
}

}  // namespace ringside
