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
    return "Turns the time of the collectives of a verify pass into milliseconds a step and tokens a second, "
           "for every "
           "strategy, and names what decides: the acceptance length and the allreduce time at which "
           "speculation breaks "
           "even, the best number of draft tokens, what a microsecond is worth. Every number says whether it "
           "was "
           "measured, reported, assumed or modelled.";
  }
  std::string_view examples() const override {
    return "  ringside run-spec\n"
           "  ringside run-spec deepseek-v3-mtp --set speculation.batch=16 --device model\n"
           "  ringside run-spec --from-config config.json --from-log server.log --set parallel.tp=4\n"
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
  note_device(request.probe.device, monitor);
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
