#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/errors.hpp"
#include "base/nvtx.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/terminal.hpp"
#include "common_options.hpp"
#include "outputs.hpp"
#include "report/listing.hpp"
#include "run/run_document.hpp"
#include "run/trace_init.hpp"
#include "run/trace_request.hpp"
#include "subcommand.hpp"
#include "trace/core/framework.hpp"
#include "trace/core/play_back.hpp"
#include "trace_options.hpp"

namespace ringside {
namespace {

constexpr int kWhole = 1 << 20;  // into a pipe lines go whole, for grep

class TraceInit final : public Subcommand {
 public:
  std::string_view name() const override { return "trace-init"; }
  std::string_view synopsis() const override { return "[OPTIONS] [SCENARIO | -- COMMAND]"; }
  std::string_view summary() const override {
    return "Why an expert-parallel server died at its start, and the smallest fix";
  }
  std::string_view details() const override {
    return "Follows an SGLang launch through its initialisation, step by step, until it dies or nothing is "
           "left to check: "
           "from a "
           "scenario, a command line, a source tree, a log, or live. Names the step that failed, the true "
           "cause with "
           "file and line, what is not the cause, and remedies with their cost. Neither a GPU nor SGLang is "
           "needed, "
           "save for --live.";
  }
  std::string_view examples() const override {
    return "  ringside trace-init kimi-k2.5-ep8-flashinfer\n"
           "  ringside trace-init --sglang 0.5.9 --what-if -- python -m sglang.launch_server --model-path X "
           "...\n"
           "  ringside trace-init --source ~/sglang --command-file launch.sh --expect no-failure-found\n"
           "  ringside trace-init --source ~/sglang --all-models\n"
           "  ringside trace-init --log server.log --md issue.md\n";
  }
  void declare(OptionTable& options) override;
  ExitCode run(const Invocation& invocation) override;

 private:
  ExitCode print_models();

  TraceOptions options_;
  bool nvtx_ = false;
  CommonOptions common_;
};

void TraceInit::declare(OptionTable& options) {
  declare_trace_options(options_, options);
  options.flag("--nvtx", "Play the steps back as NVTX ranges of the domain ringside.", nvtx_);
  common_.declare_outputs(options);
  common_.declare_display(options);
}

void play_back_steps(const InitTrace& trace) {
  if (has_nvtx())
    play_back(trace);
  else
    write_all(STDERR_FILENO, "ringside: --nvtx: this build found no nvtx3 headers\n", "stderr");
}

ExitCode TraceInit::print_models() {
  std::vector<OutputFile> files;
  for (const auto& [writer, path] : common_.outputs) {
    if (writer->name() != "json")
      throw UsageError(fmt::format("--all-models can't be written as {}", writer->name()));
    files.emplace_back(path);
    refuse_inputs("--json " + path, files.back(), options_.inputs());
  }
  const Pipeline pipeline = *chosen_pipeline(options_, {});
  ListSection section{"models", {}};
  for (const ModelLine& line : framework(pipeline.server).models(pipeline))
    section.items.push_back({line.name, line.text, {{"at", line.at}}});
  for (const PipelineProblem& problem : pipeline.problems)
    write_all(STDERR_FILENO,
              fmt::format("ringside: {}: {}: what it decides is unknown\n",
                          printable(problem.file.empty() ? pipeline.origin : problem.file),
                          printable(problem.what)),
              "stderr");
  bool to_stdout = false;
  for (OutputFile& file : files) {
    file.write(listing_json(std::span(&section, 1)));
    to_stdout = to_stdout || file.is_stdout();
  }
  if (!to_stdout)
    write_stdout(listing_text(std::span(&section, 1),
                              static_cast<std::size_t>(terminal_width(STDOUT_FILENO, kWhole))));
  return ExitCode::ok;
}

ExitCode TraceInit::run(const Invocation& invocation) {
  common_.check();
  options_.check();
  if (options_.write_pipeline) {
    OutputFile file(*options_.write_pipeline);
    refuse_inputs("--write-pipeline " + file.path(), file, options_.inputs());
    file.write(framework(options_.server.value_or("sglang")).read_source_text({*options_.source, {}, true}));
    return ExitCode::ok;
  }
  if (options_.all_models) return print_models();
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment, options_.inputs());
  Document document = start_document(name(), invocation.argv);
  ExitCode code = run_trace(options_, document);
  code = say_failures(outputs.write(document), code);
  if (nvtx_) play_back_steps(*document.trace);
  return code;
}

}  // namespace

std::unique_ptr<Subcommand> make_trace_init() {
  return std::make_unique<TraceInit>();
}

}  // namespace ringside
