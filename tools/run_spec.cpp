#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/errors.hpp"
#include "console.hpp"
#include "measure/step_replay.hpp"
#include "measured_run.hpp"
#include "outputs.hpp"
#include "run_document.hpp"
#include "spec/candidates.hpp"
#include "spec/programs.hpp"
#include "spec/replayed.hpp"
#include "spec/run_spec.hpp"
#include "spec_request.hpp"
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
  void declare(OptionTable& options) override { options_.declare(options); }
  ExitCode run(const Invocation& invocation) override;

 private:
  void replay(const SpecRequest& request, RankGroupFactory& factory, const Clock& clock,
              const SweepHooks& hooks, Document& document) const;

  SpecOptions options_;
};

void RunSpec::replay(const SpecRequest& request, RankGroupFactory& factory, const Clock& clock,
                     const SweepHooks& hooks, Document& document) const {
  const auto nanoseconds = [](const std::optional<double>& us) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(us.value_or(0) * 1000));
  };
  const std::vector<StepProgram> programs =
      step_programs(request.scenario, request.plan, document, nanoseconds(options_.compute_us),
                    nanoseconds(options_.skew_us));
  document.spec.emplace().replays =
      replay_steps(request.plan, programs, factory, clock, request.plan.request.budget / 2, hooks, document);
}

// Communication over fewer ranks than the scenario has says less than all.
void note_other_ranks(const SpecRequest& request, Document& document) {
  const int ranks = request.plan.request.ranks;
  const int wanted = request.scenario.parallel.tp;
  if (ranks == wanted) return;
  add_finding(document,
              {.kind = "other-ranks",
               .severity = Severity::warning,
               .subject = request.scenario.name,
               .message = fmt::format("the communication was measured with {} ranks; the scenario has {}",
                                      ranks, wanted),
               .evidence = {},
               .remedy = "read it as what this box would do in that place"});
}

ExitCode RunSpec::run(const Invocation& invocation) {
  options_.check();
  const SpecRequest request = resolve(options_);
  const SteadyClock clock;
  Outputs outputs(clock);
  outputs.open(options_.common, invocation.environment);
  Console console(clock, {options_.common.quiet, options_.common.verbose}, invocation.environment);
  if (!request.probe.device.reason.empty()) {
    console.note(
        fmt::format("device {}: {}", to_string(request.probe.device.kind), request.probe.device.reason));
  }
  Document document = start_document(name(), invocation.argv);
  for (const Finding& note : request.notes) {
    console.note(note.message);
    add_finding(document, note);
  }
  ExitCode code = ExitCode::ok;
  const Communication baseline = modelled_baseline(request.scenario, request.machine);
  if (request.probe.machine) {
    document.machine = described_machine(*request.probe.machine);
    run_model(request.plan, *request.probe.machine, document);
    answer_spec(request.scenario, request.machine, baseline,
                modelled_candidates(request.scenario, *request.probe.machine, document), document);
  } else {
    code = measure(request.plan, request.probe, clock, console, outputs, document,
                   [&](RankGroupFactory& factory, const SweepHooks& hooks) {
                     replay(request, factory, clock, hooks, document);
                   });
    note_other_ranks(request, document);
    std::vector<Communication> measured = measured_candidates(request.scenario, document);
    use_replays(request.scenario, measured, document);
    if (!measured.empty()) answer_spec(request.scenario, request.machine, baseline, measured, document);
  }
  for (const std::string& failure : outputs.write(document)) {
    console.error(failure);
    code = combine(code, ExitCode::environment);
  }
  return code;
}

}  // namespace

std::unique_ptr<Subcommand> make_run_spec() {
  return std::make_unique<RunSpec>();
}

}  // namespace ringside
