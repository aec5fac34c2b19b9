#include "run/compare_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/errors.hpp"
#include "base/signals.hpp"
#include "base/text.hpp"
#include "run/doctor.hpp"
#include "run/fresh_launches.hpp"
#include "run/measured_run.hpp"
#include "run/option_inputs.hpp"
#include "run/read_documents.hpp"
#include "run/run_document.hpp"
#include "sweep/request_limits.hpp"
#include "sweep/sweep.hpp"

namespace ringside {
namespace {

// That the second look was not taken with the settings of the first.
void say_differences(const FreshLaunches& fresh, Document& result) {
  if (fresh.differences().empty()) return;
  add_finding(result,
              {finding_kind("request-differs"),
               Severity::note,
               "second look",
               "suspects were measured again with the settings of this command line, not with those that the "
               "new result records: " +
                   join(fresh.differences(), "; "),
               {},
               "give the recorded ones as options"});
}

// A second look at what seems slower, where it is asked for and can be had.
ExitCode look_again(const CompareOptions& options, const ComparisonSide& base, const ComparisonSide& now,
                    const Clock& clock, RunMonitor& monitor, Document& result) {
  const std::vector<std::size_t> rows = suspects(result);
  if (rows.empty()) return ExitCode::ok;
  if (!options.confirm) {
    leave_unconfirmed(result, "not measured again: --confirm was not given");
    return ExitCode::ok;
  }
  const FreshLaunches fresh(now.document, options.again);
  if (!fresh.obstacle().empty()) {
    leave_unconfirmed(result, "not measured again: " + fresh.obstacle());
    monitor.note("suspects are not measured again: " + fresh.obstacle());
    return ExitCode::ok;
  }
  std::vector<Case> cases;
  for (const std::size_t row : rows) cases.push_back(result.rows[row].params);
  const int finished = now.document.method ? now.document.method->launches : 0;
  const int most = std::min(now.document.request->launches, static_cast<int>(kLaunchLimits.max));
  const int launches = std::clamp(finished, kLaunchesForVerdict, std::max(kLaunchesForVerdict, most));
  monitor.note(fmt::format("measuring {} suspects again, {} launches", rows.size(), launches));
  Document again;
  try {
    again = fresh.measure(cases, launches, clock, monitor);
  } catch (const Error& problem) {  // the first look still stands
    monitor.error(problem.what());
    leave_unconfirmed(result, std::string("not measured again: ") + problem.what());
    return ExitCode::ok;
  }
  if (interrupt_requested()) {
    leave_unconfirmed(result, "not measured again: interrupted");
    return ExitCode::interrupted;
  }
  say_differences(fresh, result);
  confirm(result, base.document, again, BaseLaunches::seen,
          fmt::format("measured again, {} fresh launches of the new side", again.method->launches));
  if (std::ranges::none_of(rows,
                           [&](std::size_t row) { return result.rows[row].comparison->stages.size() > 1; }))
    result.comparison->confirmation = "measured again, but no suspect got the launches that a verdict needs";
  keep_failures(again, result);
  return exit_code(again);
}

void check_calibration_used(const CompareOptions& options, const Document& compared) {
  if (options.gate.calibration && !compared.comparison->judged)
    throw UsageError(
        fmt::format("--calibration {} would not be used: results of different machines are not judged",
                    *options.gate.calibration));
  std::vector<Case> cases;
  for (const Row& row : compared.rows) cases.push_back(row.params);
  options.gate.check_used(cases);
}

}  // namespace

void CompareOptions::check() const {
  if (base.empty() || now.empty()) throw UsageError("two results are needed: ringside compare BASE NEW");
}

std::vector<std::string> CompareOptions::inputs() const {
  std::vector<std::string> files = base;
  files.insert(files.end(), now.begin(), now.end());
  add_file(gate.calibration, files);
  add_file(again.nccl_library, files);
  return files;
}

ExitCode compare_results(const CompareOptions& options, const Clock& clock, RunMonitor& monitor,
                         Document& result) {
  std::vector<std::string> files = options.base;
  files.insert(files.end(), options.now.begin(), options.now.end());
  std::vector<Document> documents = read_documents(files);
  if (std::ranges::any_of(documents, [](const Document& document) { return document.doctor.has_value(); })) {
    compare_boxes(documents, files, result);
    return box_exit_code(result, FailOnBox::error);
  }
  const auto middle = documents.begin() + static_cast<std::ptrdiff_t>(options.base.size());
  const ComparisonSide base =
      make_side({std::make_move_iterator(documents.begin()), std::make_move_iterator(middle)}, options.base,
                options.across_machines);
  const ComparisonSide now =
      make_side({std::make_move_iterator(middle), std::make_move_iterator(documents.end())}, options.now,
                options.across_machines);
  Document compared =
      compare(base, now, options.gate.find(now.document.machine), Sides::apart, options.across_machines);
  check_calibration_used(options, compared);
  take_over(result, compared);
  compared.request = now.document.request;
  compared.inputs = now.document.inputs;
  result = std::move(compared);
  const ExitCode code = look_again(options, base, now, clock, monitor, result);
  conclude_comparison(result);
  return combine(code, gate_exit_code(result, options.gate.fail_on));
}

}  // namespace ringside
