#include "outputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "github_job.hpp"
#include "report/silence.hpp"

namespace ringside {

namespace {

// As the command line has it.
std::string words(const Writer& writer, const std::string& path) {
  return writer.name() == "table" ? "the table on stdout" : fmt::format("--{} {}", writer.name(), path);
}

}  // namespace

void refuse_inputs(const std::string& output, const OutputFile& file, std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    if (file.overwrites(input))
      throw UsageError(
          fmt::format("{} would overwrite the input {}", output, input == "-" ? "on stdin" : input));
  }
}

void Outputs::add(const Writer& writer, const std::string& path, const RenderOptions& options) {
  OutputFile file(path);
  for (const Output& other : outputs_) {
    if (!file.same_target(other.file)) continue;
    throw UsageError(fmt::format("{} and {} would overwrite each other",
                                 words(*other.writer, other.file.path()), words(writer, path)));
  }
  outputs_.push_back({&writer, options, std::move(file)});
}

void Outputs::open(const CommonOptions& options, const ToolEnvironment& environment,
                   std::span<const std::string> inputs) {
  for (const auto& [writer, path] : options.outputs) {
    add(*writer, path, {.verbose = options.verbose});
    refuse_inputs(words(*writer, path), outputs_.back().file, inputs);
  }
  github_asked_ = options.github;
  github_ = options.github || (environment.github_actions && !options.quiet);
  silenced_ = options.silenced;
  quiet_ = options.quiet;
  github_step_summary_ = environment.github_step_summary;
  if (github_ && !github_step_summary_.empty()) check_summary(inputs);
  if (takes_stdout()) return;
  add(*find_writer("table"), "-",
      {.color = use_color(options.color, STDOUT_FILENO, environment),
       .width = terminal_width(STDOUT_FILENO),
       .verbose = options.verbose,
       .plot = options.plot,
       .unicode = environment.utf8});
  refuse_inputs(words(*outputs_.back().writer, "-"), outputs_.back().file, inputs);
}

// The summary is added to a file that the runner names: no output and no input may be that file.
void Outputs::check_summary(std::span<const std::string> inputs) const {
  std::optional<OutputFile> summary;
  try {
    summary.emplace(github_step_summary_);
  } catch (const UsageError&) {  // it is said when it is written
    return;
  }
  refuse_inputs("GITHUB_STEP_SUMMARY " + github_step_summary_, *summary, inputs);
  for (const Output& output : outputs_) {
    if (summary->same_target(output.file))
      throw UsageError(fmt::format("GITHUB_STEP_SUMMARY {} and {} are one file", github_step_summary_,
                                   words(*output.writer, output.file.path())));
  }
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

std::vector<std::string> Outputs::write_all_outputs(const Render& render) {
  std::vector<std::string> failures;
  for (Output& output : outputs_) {
    try {
      output.file.write(render(*output.writer, output.options));
    } catch (const EnvironmentError& problem) {
      failures.emplace_back(problem.what());
    } catch (const std::bad_alloc&) {  // the others may need less
      failures.push_back(words(*output.writer, output.file.path()) + ": out of memory");
    }
  }
  return failures;
}

std::vector<std::string> Outputs::write(const Document& document) {
  const std::optional<Document> fewer =
      silenced_.empty() ? std::nullopt : std::optional(without_warnings(document, silenced_));
  const Document& shown = fewer ? *fewer : document;
  std::vector<std::string> failures =
      write_all_outputs([&](const Writer& writer, const RenderOptions& options) {
        return writer.render(writer.name() == "json" ? document : shown, options);
      });
  for (const Output& output : outputs_) {
    if (const std::string_view lack = output.writer->lacks(shown); !quiet_ && !lack.empty())
      fmt::print(stderr, "ringside: --{} shows {}, and this result has none\n", output.writer->name(), lack);
  }
  show_on_github(shown, failures);
  return failures;
}

std::vector<std::string> Outputs::write_several(std::span<const NamedDocument> documents) {
  for (const Output& output : outputs_) {
    if (!output.writer->takes_several())
      throw UsageError(
          fmt::format("--{} takes one result; {} were given", output.writer->name(), documents.size()));
  }
  std::vector<Document> fewer;
  for (const NamedDocument& part : documents) fewer.push_back(without_warnings(*part.document, silenced_));
  std::vector<NamedDocument> shown;
  for (std::size_t i = 0; i < documents.size(); ++i) shown.push_back({documents[i].name, &fewer[i]});
  std::vector<std::string> failures =
      write_all_outputs([&](const Writer& writer, const RenderOptions& options) {
        return writer.render_several(shown, options);
      });
  for (const NamedDocument& part : shown) show_on_github(*part.document, failures);
  return failures;
}

void Outputs::show_on_github(const Document& document, std::vector<std::string>& failures) const {
  if (!github_) return;
  try {
    write_github_job(document, github_step_summary_);
  } catch (const EnvironmentError& problem) {
    if (github_asked_)
      failures.emplace_back(problem.what());
    else
      fmt::print(stderr, "ringside: {}\n", printable(problem.what()));
  }
}

ExitCode say_failures(const std::vector<std::string>& failures, ExitCode code) {
  for (const std::string& failure : failures) {
    write_all(STDERR_FILENO, fmt::format("ringside: {}\n", printable(failure)), "stderr");
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace ringside
