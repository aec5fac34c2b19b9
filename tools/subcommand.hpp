#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.hpp"
#include "base/exit_code.hpp"
#include "options.hpp"

namespace ringside {

// How ringside was called.
struct Invocation {
  std::vector<std::string> argv;  // the whole command line, for the record
  ToolEnvironment environment;
};

// One command of the tool: `ringside NAME ...`. Made anew for each call; its options are its members.
class Subcommand {
 public:
  virtual ~Subcommand() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view synopsis() const = 0;  // what follows the name: "[OPTIONS] [SCENARIO]"
  virtual std::string_view summary() const = 0;   // one line, for the list of commands
  virtual std::string_view details() const = 0;   // a paragraph for its own help
  virtual std::string_view examples() const = 0;  // lines "command\n"
  virtual void declare(OptionTable& options) = 0;
  virtual ExitCode run(const Invocation& invocation) = 0;
};

std::unique_ptr<Subcommand> make_probe_comm();
std::unique_ptr<Subcommand> make_trace_init();
std::unique_ptr<Subcommand> make_run_spec();
std::unique_ptr<Subcommand> make_doctor();
std::unique_ptr<Subcommand> make_compare();
std::unique_ptr<Subcommand> make_report();
std::unique_ptr<Subcommand> make_list();
std::unique_ptr<Subcommand> make_completion();

}  // namespace ringside
