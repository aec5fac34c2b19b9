#include "outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"

namespace ringside {

void Outputs::add(const Writer& writer, const std::string& path, const RenderOptions& options) {
  OutputFile file(path);
  for (const Output& other : outputs_) {
    if (!file.same_target(other.file)) continue;
    throw UsageError(fmt::format("--{} {} and --{} {} would overwrite each other", other.writer->name(),
                                 other.file.path(), writer.name(), path));
  }
  outputs_.push_back({&writer, options, std::move(file)});
}

void Outputs::open(const CommonOptions& options, const ToolEnvironment& environment) {
  for (const auto& [writer, path] : options.outputs) add(*writer, path);
  if (takes_stdout()) return;
  add(*find_writer("table"), "-",
      {.color = use_color(options.color, STDOUT_FILENO, environment),
       .width = terminal_width(STDOUT_FILENO),
       .verbose = options.verbose});
}

bool Outputs::takes_stdout() const {
  return std::any_of(outputs_.begin(), outputs_.end(),
                     [](const Output& output) { return output.file.is_stdout(); });
}

std::vector<std::string> Outputs::checkpoint(const Document& document) {
  std::vector<std::string> failures;
  const TimePoint now = clock_.now();
  if (last_checkpoint_ && now - *last_checkpoint_ < std::chrono::seconds(1)) return failures;
  last_checkpoint_ = now;
  for (Output& output : outputs_) {
    if (!output.file.replaceable()) continue;
    try {
      output.file.write(output.writer->render(document, output.options));
    } catch (const EnvironmentError& problem) {
      if (!std::exchange(output.failed, true)) failures.emplace_back(problem.what());
    }
  }
  return failures;
}

std::vector<std::string> Outputs::write(const Document& document) {
  std::vector<std::string> failures;
  for (Output& output : outputs_) {
    try {
      output.file.write(output.writer->render(document, output.options));
    } catch (const EnvironmentError& problem) {
      failures.emplace_back(problem.what());
    }
  }
  return failures;
}

}  // namespace ringside
