#include "inittrace/source_tree.hpp"

#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "inittrace/child_output.hpp"
#include "inittrace/pipeline_toml.hpp"
#include "inittrace/source_script.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;

constexpr int kNotATree = 2;  // the reader's exit status

bool is_srt(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path / "server_args.py", ignored) ||
         fs::is_directory(path / "model_executor", ignored);
}

std::string find_srt(const std::string& directory) {
  std::error_code problem;
  if (!fs::is_directory(directory, problem))
    throw UsageError(fmt::format("{}: {}", directory, problem ? problem.message() : "not a directory"));
  for (const char* below : {"python/sglang/srt", "sglang/srt", "srt", ""})
    if (const fs::path srt = fs::path(directory) / below; is_srt(srt)) return srt.string();
  throw UsageError(
      fmt::format("{}: not an SGLang tree (it has no python/sglang/srt with server_args.py)", directory));
}

std::string last_line(const std::string& text) {
  std::string last;
  for (const std::string& line : split(text, '\n'))
    if (!trim(line).empty()) last = line;
  return printable(last);
}

[[noreturn]] void fail(const ChildResult& child, const std::string& directory) {
  const std::string last = last_line(child.error_tail);
  const std::string file = last.starts_with("reading ") ? fmt::format(" while {}", last) : "";
  if (child.timed_out) throw EnvironmentError(fmt::format("{}: python3 took too long{}", directory, file));
  if (child.output_too_large)
    throw EnvironmentError(fmt::format("{}: python3 found too much{}", directory, file));
  if (WIFSIGNALED(child.status))
    throw EnvironmentError(
        fmt::format("{}: python3 was ended by signal {}{}", directory, WTERMSIG(child.status), file));
  if (WEXITSTATUS(child.status) == 127)
    throw EnvironmentError("reading a source tree needs python3 (3.9 or later), and none was found on PATH");
  if (WEXITSTATUS(child.status) == kNotATree) throw UsageError(fmt::format("{}: {}", directory, last));
  throw EnvironmentError(fmt::format("{}: python3 failed: {}", directory, last));
}

}  // namespace

std::string read_source_text(const SourceRequest& request) {
  const std::string srt = find_srt(request.directory);
  std::vector<std::string> argv = {"python3", "-I", "-S", "-", srt};
  if (request.all_models) argv.push_back("--all");
  argv.insert(argv.end(), request.architectures.begin(), request.architectures.end());
  ChildResult child = run_child(argv, source_script(), {});
  const bool ended_well = WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0;
  if (child.timed_out || child.output_too_large || !ended_well) fail(child, request.directory);
  return std::move(child.out);
}

Pipeline read_source(const SourceRequest& request) {
  ScenarioText text;
  text.name = fs::path(request.directory).lexically_normal().string();
  text.origin = request.directory;
  text.text = read_source_text(request);
  Pipeline pipeline = read_pipeline(text);
  pipeline.title = pipeline.version.empty() ? fmt::format("SGLang in {}", text.name)
                                            : fmt::format("SGLang {} in {}", pipeline.version, text.name);
  return pipeline;
}

}  // namespace ringside
