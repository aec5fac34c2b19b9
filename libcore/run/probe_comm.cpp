#include "run/probe_comm.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "gate/calibration.hpp"
#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "run/side_by_side.hpp"
#include "sweep/sweep.hpp"
#include "sweep/tune.hpp"

namespace ringside {
namespace {

void note_calibration(const StoredCalibration& stored, RunMonitor& monitor) {
  monitor.note("comparisons on this machine take their thresholds from now on from " + stored.file);
  if (stored.runs_dropped > 0) {
    monitor.note(fmt::format("{} times that were calibrated with another number of launches are left out",
                             stored.runs_dropped));
  }
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

}  // namespace

ExitCode run_probe(const ProbeOptions& options, const ProbeRequest& request, const Plan& plan,
                   const Clock& clock, RunMonitor& monitor, Document& document) {
  record_request(plan, request, document);
  ExitCode code = ExitCode::ok;
  if (request.machine) {
    document.machine = described_machine(*request.machine);
    run_model(plan, *request.machine, document);
  } else if (options.against) {
    code = measure_side_by_side(options, request, monitor, document);
  } else {
    note_slowdowns(request.sweep, document);
    if (options.profile) note_profile(document);
    code = measure(plan, request, clock, monitor, document);
  }
  if (options.tune && document.complete && code == ExitCode::ok) {
    const std::string file = store_custom_table(tuned_table(document, request.sweep));
    monitor.note("custom uses from now on what was fastest here: " + file);
  }
  if (options.calibrate && document.complete && code == ExitCode::ok) {
    try {
      note_calibration(store_calibration(calibrate(document)), monitor);
    } catch (const EnvironmentError& error) {  // what was measured is written all the same
      monitor.error(error.what());
      code = ExitCode::environment;
    }
  }
  return code;
}

}  // namespace ringside
