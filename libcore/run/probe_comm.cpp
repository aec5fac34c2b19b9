#include "run/probe_comm.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "gate/calibration.hpp"
#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "run/side_by_side.hpp"
#include "strategy/custom_table.hpp"
#include "sweep/sweep.hpp"
#include "sweep/tune.hpp"

namespace ringside {
namespace {

void note_calibration(const StoredCalibration& stored, RunMonitor& monitor) {
  monitor.note("comparisons on this machine take their thresholds from now on from " + stored.file);
  if (stored.runs < kRunsToKnow) {
    monitor.note(fmt::format(
        "calibrated {} of the {} times that tell how much this machine changes between them: do it again "
        "at other times of the day",
        stored.runs, kRunsToKnow));
  }
}

// Times that were made worse on purpose must not pass for real ones.
void note_slowdowns(const SweepRequest& request, Document& document) {
  for (const auto& [strategy, factor] : request.slowdowns) {
    add_finding(document,
                {.kind = finding_kind("slowdown-injected"),
                 .severity = Severity::warning,
                 .subject = strategy,
                 .message = fmt::format("made {} times the calls that were counted, on purpose", factor),
                 .evidence = {},
                 .remedy = ""});
  }
}

void note_profile(Document& document) {
  add_finding(document, {.kind = finding_kind("profiled"),
                         .severity = Severity::note,
                         .subject = "sweep",
                         .message = "each case ran once for a profiler; there are no statistics",
                         .evidence = {},
                         .remedy = ""});
}

// What can't be done with what a measurement is to be kept for is known before it.
void check_places(const ProbeOptions& options, const ProbeRequest& request) {
  if (options.tune) check_custom_table_place(request.sweep.gpus);
  if (options.calibrate) check_calibration_place(machine_of(request));
}

// Failures cost what was to be stored, never the Document.
template <typename Store>
ExitCode store_beside(Store store, RunMonitor& monitor) {
  try {
    store();
    return ExitCode::ok;
  } catch (const EnvironmentError& problem) {
    monitor.error(problem.what());
    return ExitCode::environment;
  }
}

// `code`: of the measurement. What it has not measured is no reason to leave out the rest.
ExitCode store_results(const ProbeOptions& options, const ProbeRequest& request, ExitCode code,
                       RunMonitor& monitor, const Document& document) {
  ExitCode stored = ExitCode::ok;
  if (options.tune && (!document.complete || code != ExitCode::ok)) {
    monitor.error("the table of custom stays as it was: not all that it is made of was measured");
    stored = ExitCode::environment;
  } else if (options.tune) {
    stored = store_beside(
        [&] {
          const std::string file = store_custom_table(tuned_table(document, request.sweep));
          monitor.note("custom uses from now on what was fastest here: " + file);
        },
        monitor);
  }
  if (!options.calibrate) return stored;
  const auto store = [&] {
    note_calibration(store_calibration(calibrate(document)), monitor);
    for (const std::string& cases : left_out_of_calibration(document))
      monitor.error("not calibrated: " + cases);
  };
  return combine(stored, store_beside(store, monitor));
}

std::vector<Case> cases_of(const Plan& plan) {
  std::vector<Case> cases;
  for (const PlannedCase& planned : plan.cases) cases.push_back(planned.params);
  return cases;
}

}  // namespace

ExitCode run_probe(const ProbeOptions& options, const ProbeRequest& request, const Plan& plan,
                   const Clock& clock, RunMonitor& monitor, Document& document) {
  record_request(plan, request, document);
  if (request.machine) {
    document.machine = described_machine(*request.machine);
    run_model(plan, *request.machine, document);
    return ExitCode::ok;
  }
  if (options.against) {
    options.gate.check_used(cases_of(plan));
    return measure_side_by_side(options, request, monitor, document);
  }
  check_places(options, request);
  note_slowdowns(request.sweep, document);
  if (options.profile) note_profile(document);
  const ExitCode code = measure(plan, request, clock, monitor, document);
  return combine(code, store_results(options, request, code, monitor, document));
}

}  // namespace ringside
