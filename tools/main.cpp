#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/build_info.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/secrets.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "command_tree.hpp"
#include "help.hpp"
#include "launch/gpu_survey_child.hpp"
#include "launch/rank_main.hpp"
#include "protocol/rank_arguments.hpp"
#include "subcommand.hpp"
#include "worker/measure_session.hpp"

namespace ringside {
namespace {

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format("ringside {} ({}), {} {}, {}{}\n", info.version, info.commit, info.compiler,
                     info.build_type,
                     info.cuda_version.empty() ? "without CUDA" : fmt::format("CUDA {}", info.cuda_version),
                     info.sanitizers.empty() ? "" : fmt::format(", sanitizers {}", info.sanitizers));
}

ExitCode run_subcommand(Subcommand& subcommand, const Invocation& invocation,
                        std::span<const std::string> arguments) {
  OptionTable options;
  subcommand.declare(options);
  if (parse_options(options, std::string(subcommand.name()), arguments) == ParseOutcome::help) {
    write_stdout(subcommand_help(subcommand, options));
    return ExitCode::ok;
  }
  return subcommand.run(invocation);
}

ExitCode run(const std::vector<std::string>& argv) {
  const auto subcommands = make_subcommands();
  if (argv.size() < 2) {
    write_all(STDERR_FILENO, main_help(subcommands), "stderr");
    return ExitCode::usage;
  }
  const std::string& word = argv[1];
  if (word == "--version") {
    if (argv.size() > 2) throw UsageError(fmt::format("--version takes no argument, not '{}'", argv[2]));
    write_stdout(version_text());
    return ExitCode::ok;
  }
  if (word == "--help" || word == "-h") {
    write_stdout(main_help(subcommands));
    return ExitCode::ok;
  }
  std::vector<std::string> names = {"--help", "--version"};
  for (const auto& subcommand : subcommands) {
    if (subcommand->name() == word) {
      return run_subcommand(*subcommand, {argv, read_tool_environment()}, std::span(argv).subspan(2));
    }
    names.emplace_back(subcommand->name());
  }
  throw UsageError(fmt::format("unknown {} '{}'{}; see ringside --help",
                               word.starts_with('-') ? "option" : "command", word,
                               did_you_mean(word, names)));
}

// A standard stream that the caller closed gets a place holder that can't be written, so that no file opened
// later takes its number and is mistaken for it.
void reserve_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

ExitCode report(ExitCode code, std::string_view message) noexcept {
  try {
    Withheld withheld;  // a message may quote an argument
    fmt::print(stderr, "ringside: {}\n", printable(mask_text(message, withheld)));
  } catch (...) {  // stderr is closed: the status says it all
  }
  return code;
}

// The exit status of `action`, errors included: nothing escapes.
template <typename Action>
int guarded(Action action) noexcept {
  ExitCode code = ExitCode::internal;
  try {
    return static_cast<int>(action());
  } catch (const Error& error) {
    code = report(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    code = report(ExitCode::environment, "out of memory");
  } catch (const std::exception& error) {
    code = report(ExitCode::internal, fmt::format("internal error: {}", error.what()));
  } catch (...) {
    code = report(ExitCode::internal, "internal error");
  }
  return static_cast<int>(code);
}

}  // namespace
}  // namespace ringside

int main(int argc, char** argv) {
  using namespace ringside;
  ignore_signals_of_writing();
  if (argc > 1 && argv[1] == RankArguments::kWord) {
    return guarded([&] {
      return rank_main(argc, argv, [](RankDevice& device, ProgressCell& cell) {
        return std::make_unique<MeasureSession>(device, cell);
      });
    });
  }
  if (argc > 1 && argv[1] == SurveyChild::kWord) return guarded([&] { return survey_main(argc, argv); });
  reserve_standard_streams();
  restore_sigchld();
  return guarded([&] { return run({argv, argv + argc}); });
}
