#include "run/run_spec.hpp"

#include <fmt/format.h>

#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "spec/candidates.hpp"
#include "spec/programs.hpp"
#include "spec/replayed.hpp"
#include "spec/run_spec.hpp"
#include "sweep/step_replay.hpp"

namespace ringside {
namespace {

void replay(const SpecOptions& options, const SpecRequest& request, RankGroupFactory& factory,
            const Clock& clock, const SweepHooks& hooks, Document& document) {
  const auto nanoseconds = [](const std::optional<double>& us) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(us.value_or(0) * 1000));
  };
  const std::vector<StepProgram> programs =
      step_programs(request.scenario, request.plan, document, nanoseconds(options.compute_us),
                    nanoseconds(options.skew_us));
  document.spec.emplace().replays =
      replay_steps(request.plan, programs, factory, clock, request.plan.request.budget / 2, hooks, document);
}

// Communication over fewer ranks than the scenario has says less than all.
void note_other_ranks(const SpecRequest& request, Document& document) {
  const int ranks = request.plan.request.ranks;
  const int wanted = request.scenario.parallel.tp;
  if (ranks == wanted) return;
  add_finding(document,
              {.kind = finding_kind("other-ranks"),
               .severity = Severity::warning,
               .subject = request.scenario.name,
               .message = fmt::format("the communication was measured with {} ranks; the scenario has {}",
                                      ranks, wanted),
               .evidence = {},
               .remedy = "read it as what this box would do in that place"});
}

}  // namespace

ExitCode run_spec(const SpecOptions& options, const SpecRequest& request, const Clock& clock,
                  RunMonitor& monitor, Document& document) {
  for (const Finding& note : request.notes) {
    monitor.note(note.message);
    add_finding(document, note);
  }
  record_request(request.plan, request.probe, document);
  const Communication baseline = modelled_baseline(request.scenario, request.machine);
  if (request.probe.machine) {
    document.machine = described_machine(*request.probe.machine);
    run_model(request.plan, *request.probe.machine, document);
    answer_spec(request.scenario, request.machine, baseline,
                modelled_candidates(request.scenario, *request.probe.machine, document), document);
    return ExitCode::ok;
  }
  const ExitCode code = measure(request.plan, request.probe, clock, monitor, document,
                                [&](RankGroupFactory& factory, const SweepHooks& hooks) {
                                  replay(options, request, factory, clock, hooks, document);
                                });
  note_other_ranks(request, document);
  std::vector<Communication> measured = measured_candidates(request.scenario, document);
  use_replays(request.scenario, measured, document);
  if (!measured.empty()) {
    answer_spec(request.scenario, request.machine, baseline, measured, document);
  } else if (holds_measurement(document)) {
    add_finding(document,
                {.kind = finding_kind("undecided"),
                 .severity = Severity::warning,
                 .subject = "speculation",
                 .message = "no strategy has a time at all of the message sizes of these steps, so nothing "
                            "is said about speculation",
                 .evidence = {},
                 .remedy = "run it again with a larger --budget"});
  }
  return code;
}

}  // namespace ringside
