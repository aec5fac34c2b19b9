#include "trace/sglang/source_tree.hpp"

#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"
#include "base/run_to_end.hpp"
#include "base/text.hpp"
#include "trace/core/pipeline_toml.hpp"
#include "trace/sglang/source_script.hpp"

namespace ringside {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kNotATree = 2;  // the reader's exit status
constexpr std::chrono::seconds kTime{20};
constexpr std::size_t kMemory = std::size_t{3} << 29;  // address space: 1.5 GiB
constexpr std::size_t kMostOutput = std::size_t{16} << 20;
constexpr std::size_t kErrorTail = 4096;

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

[[noreturn]] void fail(const ChildResult& child, bool too_much, const std::string& directory) {
  const std::string last = last_line(child.errors);
  const std::string file = last.starts_with("reading ") ? fmt::format(" while {}", last) : "";
  if (too_much) throw EnvironmentError(fmt::format("{}: python3 found too much{}", directory, file));
  if (child.stop == ChildResult::Stop::timed_out)
    throw EnvironmentError(fmt::format("{}: python3 took too long{}", directory, file));
  if (child.end.kind == ProcessEnd::Kind::not_started)
    throw EnvironmentError("reading a source tree needs python3 (3.9 or later), and none was found on PATH");
  if (child.end.kind == ProcessEnd::Kind::signalled)
    throw EnvironmentError(
        fmt::format("{}: python3 was ended by signal {}{}", directory, child.end.code, file));
  if (child.end.code == kNotATree) throw UsageError(fmt::format("{}: {}", directory, last));
  throw EnvironmentError(fmt::format("{}: python3 failed: {}", directory, last));
}

// The reader with `arguments`, an empty environment and the limits of what it may take: it writes no file,
// whatever the tree holds. `output` gets what it prints.
ChildResult run_reader(const std::string& server, const std::vector<std::string>& arguments,
                       std::string& output) {
  Program program;
  program.argv = {"python3", "-I", "-S", "-"};
  program.argv.insert(program.argv.end(), arguments.begin(), arguments.end());
  program.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
  program.limits = {.memory_bytes = kMemory, .file_bytes = 0, .core_bytes = 0, .cpu_time = kTime + 1s};
  const Streams streams{.input = Streams::Input::text,
                        .text = source_script(server),
                        .output = Keep::hand_to([&](std::string_view more) {
                          if (output.size() <= kMostOutput) output.append(more);
                        }),
                        .errors = Keep::tail(kErrorTail)};
  return run_to_end(program, streams,
                    {.timeout = kTime, .stop_requested = [&] { return output.size() > kMostOutput; }});
}

}  // namespace

std::string read_source_text(const SourceRequest& request) {
  return run_source_reader("sglang", find_srt(request.directory), request);
}

std::string run_source_reader(const std::string& server, const std::string& package,
                              const SourceRequest& request) {
  std::vector<std::string> arguments = {package};
  if (request.all_models) arguments.emplace_back("--all");
  arguments.insert(arguments.end(), request.architectures.begin(), request.architectures.end());
  std::string output;
  const ChildResult child = run_reader(server, arguments, output);
  const bool too_much = output.size() > kMostOutput;
  if (too_much || !child.ok()) fail(child, too_much, request.directory);
  return output;
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
