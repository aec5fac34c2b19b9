#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/terminal.hpp"
#include "options.hpp"
#include "report/writer.hpp"

namespace ringside {

// Options that every subcommand with a Document has.
struct CommonOptions {
  std::vector<std::pair<const Writer*, std::string>>
      outputs;                             // --json FILE, --csv FILE, ...: one option a writer
  bool github = false;                     // annotations, and the step summary
  std::vector<std::string> silenced = {};  // warnings that are left out, by kind or id
  ColorChoice color = ColorChoice::automatic;
  bool plot = false;
  bool quiet = false;
  bool verbose = false;

  void declare_outputs(OptionTable& options);
  void declare_plot(OptionTable& options);
  void declare_display(OptionTable& options);
  // Throws UsageError when they contradict each other.
  void check() const;
};

}  // namespace ringside
