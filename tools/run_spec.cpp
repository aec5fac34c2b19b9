#include <memory>

#include "common_options.hpp"
#include "console.hpp"
#include "console_monitor.hpp"
#include "outputs.hpp"
#include "run/run_document.hpp"
#include "run/run_spec.hpp"
#include "spec_options.hpp"
#include "subcommand.hpp"

namespace ringside {
namespace {

class RunSpec final : public Subcommand {
 public:
  std::string_view name() const override { return "run-spec"; }
  std::string_view synopsis() const override { return "[OPTIONS] [SCENARIO]"; }
  std::string_view summary() const override {
    return "Whether speculative decoding, or expert parallelism, pays off with this communication";
  }
  std::string_view details() const override {
    return "Answers from what was measured of a server, and where nothing was, from a step model that is "
           "calibrated with it. Two speeds that can be compared decide; everything else has an interval and "
           "a probability. Names what decides (length and allreduce time to break even, number of drafts, "
           "value of a microsecond), what is missing and how to measure it. Exit status with --expect: 6 for "
           "the opposite, 7 where it is open.";
  }
  std::string_view examples() const override {
    return "  ringside run-spec\n"
           "  ringside run-spec --from-log plain.log --from-log speculative.log\n"
           "  ringside run-spec --from-config config.json --gpu h200_sxm --tp 8 --observe "
           "batch=8,tokens_s=455 --acceptance 2.4\n"
           "  ringside run-spec deepseek-v3-mtp --batch 1:64:x2 --context 1K:32K:x4\n"
           "  ringside run-spec kimi-k2.5-eagle3 --device host --compute 100 --skew 10\n";
  }
  void declare(OptionTable& options) override;
  ExitCode run(const Invocation& invocation) override;

 private:
  SpecOptions options_;
  CommonOptions common_;
};

void RunSpec::declare(OptionTable& options) {
  declare_spec_options(options_, options);
  common_.declare_outputs(options);
  common_.declare_display(options);
  common_.declare_plot(options);
}

ExitCode RunSpec::run(const Invocation& invocation) {
  common_.check();
  options_.check();
  const SpecRequest request = resolve(options_);
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment, options_.inputs());
  Console console(clock, {common_.quiet, common_.verbose}, invocation.environment);
  ConsoleMonitor monitor(console, &outputs);
  if (request.sweep) note_device(request.sweep->probe.device, monitor);
  Document document = start_document(name(), invocation.argv);
  const ExitCode code =
      run_and_keep([&] { return run_spec(options_, request, clock, monitor, document); }, document, console);
  return write_outputs(outputs, document, console, code);
}

}  // namespace

std::unique_ptr<Subcommand> make_run_spec() {
  return std::make_unique<RunSpec>();
}

}  // namespace ringside
