#include <fmt/format.h>

#include <memory>

#include "base/errors.hpp"
#include "common_options.hpp"
#include "console.hpp"
#include "console_monitor.hpp"
#include "gate_options.hpp"
#include "outputs.hpp"
#include "request_options.hpp"
#include "run/compare_results.hpp"
#include "run/run_document.hpp"
#include "subcommand.hpp"
#include "sweep/request_limits.hpp"

namespace ringside {
namespace {

class Compare final : public Subcommand {
 public:
  std::string_view name() const override { return "compare"; }
  std::string_view synopsis() const override { return "[OPTIONS] BASE NEW"; }
  std::string_view summary() const override {
    return "Whether a result is slower than an earlier one, with an exit status for CI";
  }
  std::string_view details() const override {
    return "Compares two results of probe-comm case by case, launch medians by an exact rank test, and says "
           "pass, "
           "improve, regress or ambiguous. Two files are read, and nothing is measured, unless --confirm is "
           "given. Exit status 6: a regression. No GPU is needed to read results. How it works and how often "
           "it errs: docs/compare.md.";
  }
  std::string_view examples() const override {
    return "  ringside compare base.json new.json\n"
           "  ringside compare base.json new.json --new more.json\n"
           "  ringside compare base.json new.json --confirm\n"
           "  ringside compare --fail-on ambiguous --json verdict.json base.json new.json\n"
           "  ringside compare --across-machines h100.json h200.json\n";
  }
  void declare(OptionTable& options) override;
  ExitCode run(const Invocation& invocation) override;

 private:
  CompareOptions options_;
  bool no_confirm_ = false;  // what is done anyway
  CommonOptions common_;
};

void Compare::declare(OptionTable& options) {
  options.argument("BASE", "The earlier result, a file of --json.",
                   [this](const std::string& file) { options_.base.push_back(file); });
  options.argument("NEW", "The result that is judged.",
                   [this](const std::string& file) { options_.now.push_back(file); });
  options.group("What is compared");
  options.repeatable("--base", "FILE", "One more file with launches of the base.",
                     [this](const std::string& file) { options_.base.push_back(file); });
  options.repeatable("--new", "FILE", "One more file with launches of the new side.",
                     [this](const std::string& file) { options_.now.push_back(file); });
  options.flag("--across-machines", "Report ratios of results from different machines, without judging.",
               options_.across_machines);
  options.group("How it is judged");
  options.flag("--confirm",
               "Measure what looks slower again, with fresh launches on this machine; only where this binary "
               "made NEW here. Without it a regression needs twice the threshold.",
               options_.confirm);
  options.flag("--no-confirm", "Measure nothing, which is the default.", no_confirm_);
  declare_gate_options(options_.gate, options);
  options.group("How --confirm measures: a result names cases, and nothing else");
  declare_budget(options_.again, options,
                 fmt::format("For the second look: 45, 45s, 2m [{}s; cuda: {}s]", kHostBudget.count(),
                             kCudaBudget.count()));
  declare_timeout(options_.again, options);
  declare_rounds(options_.again, options);
  declare_gpus(options_.again, options);
  common_.declare_outputs(options);
  common_.declare_display(options);
}

ExitCode Compare::run(const Invocation& invocation) {
  common_.check();
  options_.check();
  const RequestOverrides& again = options_.again;
  if (!options_.confirm &&
      (again.budget || again.turn_timeout || again.max_rounds || again.min_rounds || again.ops_per_graph ||
       again.verify_calls || again.input || again.gpus || again.nccl_library))
    throw UsageError("how suspects are measured again is for --confirm, which is not there");
  if (options_.confirm && no_confirm_) throw UsageError("--confirm and --no-confirm contradict each other");
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(common_, invocation.environment, options_.inputs());
  Console console(clock, {common_.quiet, common_.verbose}, invocation.environment);
  ConsoleMonitor monitor(console, nullptr);  // what is measured again is not the result
  Document result = start_document(name(), invocation.argv);
  const ExitCode code = compare_results(options_, clock, monitor, result);
  return write_outputs(outputs, result, console, code);
}

}  // namespace

std::unique_ptr<Subcommand> make_compare() {
  return std::make_unique<Compare>();
}

}  // namespace ringside
