#include "run/run_spec.hpp"

#include <fmt/format.h>

#include <utility>

#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "spec/candidates.hpp"
#include "spec/programs.hpp"
#include "spec/replayed.hpp"
#include "spec/run_spec.hpp"
#include "sweep/step_replay.hpp"

namespace ringside {
namespace {

void replay(const SpecOptions& options, const SpecScenario& scenario, const SpecSweep& sweep,
            RankGroupFactory& factory, const Clock& clock, const SweepHooks& hooks, Document& document) {
  const auto nanoseconds = [](const std::optional<double>& us) {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(us.value_or(0) * 1000));
  };
  const std::vector<StepProgram> programs = step_programs(
      scenario, sweep.plan, document, nanoseconds(options.compute_us), nanoseconds(options.skew_us));
  document.spec.emplace().replays =
      replay_steps(sweep.plan, programs, factory, clock, sweep.plan.request.budget / 2, hooks, document);
}

// Communication over fewer ranks than the scenario has says less than all.
void note_other_ranks(const SpecScenario& scenario, const SpecSweep& sweep, Document& document) {
  const int ranks = sweep.plan.request.ranks;
  const int wanted = scenario.parallel.tp;
  if (ranks == wanted) return;
  add_finding(document,
              {.kind = finding_kind("other-ranks"),
               .severity = Severity::warning,
               .subject = scenario.name,
               .message = fmt::format("the communication was measured with {} ranks; the scenario has {}",
                                      ranks, wanted),
               .evidence = {},
               .remedy = "read it as what this box would do in that place"});
}

void answer(const SpecRequest& request, std::vector<Communication> candidates,
            const std::vector<Communication>& measured, Document& document) {
  const SpecQuestion& question = request.question;
  SpecPlace place;
  if (request.machine) {
    place.machine = request.machine->name;
    place.memory_gib = request.machine->memory_gib;
  }
  place.baseline = find_baseline(question.inquiry.scenario, request.machine ? &*request.machine : nullptr,
                                 question.inquiry.workload.gpu, question.allreduce, measured);
  answer_spec(question.inquiry, place, std::move(candidates), document);
}

// Replays the steps and answers with what was measured; nothing is answered where no strategy has a time.
ExitCode answer_measured(const SpecOptions& options, const SpecRequest& request, const Clock& clock,
                         RunMonitor& monitor, Document& document) {
  const SpecScenario& scenario = request.question.inquiry.scenario;
  const SpecSweep& sweep = *request.sweep;
  const ExitCode code = measure(sweep.plan, sweep.probe, clock, monitor, document,
                                [&](RankGroupFactory& factory, const SweepHooks& hooks) {
                                  replay(options, scenario, sweep, factory, clock, hooks, document);
                                });
  note_other_ranks(scenario, sweep, document);
  std::vector<Communication> measured = measured_candidates(scenario, document);
  use_replays(scenario, measured, document);
  if (!measured.empty()) {
    const bool here =
        sweep.plan.request.device == DeviceKind::cuda && sweep.plan.request.ranks == scenario.parallel.tp;
    answer(request, measured, here ? measured : std::vector<Communication>{}, document);
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

// The exit status of an expected verdict, with the Finding that says it.
ExitCode judge_expected(const SpecOptions& options, Document& document) {
  if (!options.expect) return ExitCode::ok;
  const std::string expected = *options.expect == ExpectedVerdict::pays ? "pays" : "loses";
  const bool answered = document.spec && document.spec->estimate;
  const std::string verdict = answered ? document.spec->estimate->verdict : "open";
  if (verdict == expected) return ExitCode::ok;
  const FindingKind& kind =
      verdict == "open" ? finding_kind("verdict-open") : finding_kind("unexpected-verdict");
  add_finding(document,
              {.kind = kind,
               .severity = kind.severity,
               .subject = "speculation",
               .message = verdict == "open" ? "whether speculation " + expected + " is open"
                                            : fmt::format("speculation {}; expected: {}", verdict, expected),
               .evidence = {},
               .remedy = ""});
  return kind.exit;
}

}  // namespace

ExitCode run_spec(const SpecOptions& options, const SpecRequest& request, const Clock& clock,
                  RunMonitor& monitor, Document& document) {
  for (const Finding& note : request.question.notes) {
    monitor.note(note.message);
    add_finding(document, note);
  }
  if (!request.sweep) {
    say_withheld(document, request.question.withheld, "the files that were read");
    if (request.machine) document.machine = described_machine(*request.machine);
    answer(request, {}, {}, document);
    document.complete = true;
    return judge_expected(options, document);
  }
  const SpecSweep& sweep = *request.sweep;
  ProbeRequest probe = sweep.probe;
  probe.inputs = request.question.inputs;
  probe.withheld.add(request.question.withheld);
  record_request(sweep.plan, probe, document);
  if (!sweep.probe.machine) {
    const ExitCode code = answer_measured(options, request, clock, monitor, document);
    return combine(code, judge_expected(options, document));
  }
  document.machine = described_machine(*sweep.probe.machine);
  run_model(sweep.plan, *sweep.probe.machine, document);
  answer(request, modelled_candidates(request.question.inquiry.scenario, *sweep.probe.machine, document), {},
         document);
  return judge_expected(options, document);
}

}  // namespace ringside
