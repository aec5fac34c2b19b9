#include "run/fresh_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/duration.hpp"
#include "base/errors.hpp"
#include "base/text.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "run/measured_run.hpp"
#include "run/run_document.hpp"

namespace ringside {
namespace {

bool same_build(const ToolInfo& a, const ToolInfo& b) {
  return a.version == b.version && a.commit == b.commit && a.compiler == b.compiler &&
         a.build_type == b.build_type && a.sanitizers == b.sanitizers;
}

// The first fact in which what the Document was measured under differs from this box as it is now.
std::string difference(const Document& document, const ProbeRequest& request) {
  const Document here = start_document(document.command, {});
  auto differences = differing_facts(document.machine, machine_of(request));
  const auto environment = differing_facts({"", document.environment}, {"", here.environment});
  differences.insert(differences.end(), environment.begin(), environment.end());
  return differences.empty() ? "" : describe(differences.front());
}

// A setting that decides what a time means: with another one the times could not be compared. Empty: all are
// as recorded.
std::string other_meaning(const SweepRequest& recorded, const SweepRequest& now) {
  if (!recorded.slowdowns.empty()) return "the new result was made slower on purpose";
  if (recorded.calls_per_sample != now.calls_per_sample)
    return fmt::format(
        "the new result has up to {0} calls in a repetition, not {1}: give --ops-per-graph {0}",
        recorded.calls_per_sample, now.calls_per_sample);
  if (recorded.input != now.input)
    return fmt::format("the new result has {0} inputs: give --input {0}", to_string(recorded.input));
  if (now.device != DeviceKind::cuda) return "";
  if (recorded.nccl_library != now.nccl_library)
    return fmt::format(
        "the new result was measured with the NCCL library '{}', and a result does not choose the "
        "library that is loaded ('{}'): give --nccl-lib for the same one",
        recorded.nccl_library, now.nccl_library);
  if (recorded.gpus != now.gpus)
    return fmt::format("the new result was measured on other GPUs: give --gpus {}", join(recorded.gpus, ","));
  return "";
}

// What is measured otherwise, and still means the same.
std::vector<std::string> differing_settings(const SweepRequest& recorded, const SweepRequest& now) {
  std::vector<std::string> lines;
  const auto say = [&](const char* what, const auto& here, const auto& there, auto text) {
    if (here != there) lines.push_back(fmt::format("{} {}, recorded {}", what, text(here), text(there)));
  };
  const auto number = [](int value) { return std::to_string(value); };
  const auto time = [](std::chrono::nanoseconds value) { return format_duration(value); };
  say("budget", now.budget, recorded.budget, time);
  say("time-out of a turn", now.turn_timeout, recorded.turn_timeout, time);
  say("rounds at least", now.min_rounds, recorded.min_rounds, number);
  say("rounds at most", now.max_rounds, recorded.max_rounds, number);
  if (now.device != DeviceKind::cuda && !recorded.nccl_library.empty())
    lines.push_back(fmt::format("no NCCL library, recorded '{}'", recorded.nccl_library));
  return lines;
}

}  // namespace

FreshLaunches::FreshLaunches(const Document& document, const RequestOverrides& flags)
    : budget_is_given_(flags.budget.has_value()) {
  if (!document.request) {
    obstacle_ = "the new result does not hold its request (results before schema 1.5.0 do not)";
  } else if (document.request->device == DeviceKind::model) {
    obstacle_ = "the new result was calculated, not measured";
  } else if (!same_build(document.tool, this_tool())) {
    obstacle_ = fmt::format("the new result is from another build ({})", document.tool.commit);
  } else {
    try {
      request_ = resolve_again(*document.request, flags);
      const std::string differs = difference(document, request_);
      if (!differs.empty()) {
        obstacle_ = "this is not where the new result was measured: " + differs;
      } else {
        obstacle_ = other_meaning(*document.request, request_.sweep);
      }
      differences_ = differing_settings(*document.request, request_.sweep);
    } catch (const Error& problem) {
      obstacle_ = problem.what();
    }
  }
}

Document FreshLaunches::measure(const std::vector<Case>& cases, int launches, const Clock& clock,
                                RunMonitor& monitor) const {
  ProbeRequest request = request_;
  Plan plan = make_plan(request.sweep, request.context);
  std::set<std::string> wanted;
  for (const Case& params : cases) wanted.insert(case_key(params));
  keep_groups(plan, [&](const Case& params) { return wanted.contains(case_key(params)); });
  if (plan.groups.empty()) throw UsageError("its request has none of these cases");
  const int usual = SweepRequest{}.launches;  // what the usual budget is for
  if (!budget_is_given_) plan.request.budget = plan.request.budget * std::max(usual, launches) / usual;
  plan.request.launches = launches;
  plan.request.firm_budget = false;
  request.sweep = plan.request;
  Document document = start_document("probe-comm", {});
  static_cast<void>(ringside::measure(plan, request, clock, monitor, document));
  return document;
}

}  // namespace ringside
