#include "run/fresh_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "run/measured_run.hpp"
#include "run/run_document.hpp"
#include "sweep/request_limits.hpp"

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

}  // namespace

FreshLaunches::FreshLaunches(const Document& document) {
  if (!document.request) {
    obstacle_ = "the new result does not hold its request (results before schema 1.5.0 do not)";
  } else if (document.request->device == DeviceKind::model) {
    obstacle_ = "the new result was calculated, not measured";
  } else if (!same_build(document.tool, this_tool())) {
    obstacle_ = fmt::format("the new result is from another build ({})", document.tool.commit);
  } else {
    try {
      request_ = resolve_again(*document.request);
      const std::string differs = difference(document, request_);
      if (!differs.empty()) obstacle_ = "this is not where the new result was measured: " + differs;
    } catch (const Error& problem) {
      obstacle_ = problem.what();
    }
  }
}

Document FreshLaunches::measure(const std::vector<Case>& cases, int launches, const Clock& clock,
                                RunMonitor& monitor) const {
  ProbeRequest request = request_;
  Plan plan = make_plan(request.sweep, request.context);
  const auto all = static_cast<std::int64_t>(plan.groups.size());
  std::set<std::string> wanted;
  for (const Case& params : cases) wanted.insert(case_key(params));
  keep_groups(plan, [&](const Case& params) { return wanted.contains(case_key(params)); });
  if (plan.groups.empty()) throw UsageError("its request has none of these cases");
  // As long for each launch of a group as before.
  const double share = static_cast<double>(plan.groups.size()) * launches /
                       std::max(1.0, static_cast<double>(all) * request.sweep.launches);
  const double budget = static_cast<double>(plan.request.budget.count()) * share;
  plan.request.budget =
      std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(budget, kBudgetLimits_s.max * 1e9)));
  plan.request.launches = launches;
  plan.request.firm_budget = false;
  request.sweep = plan.request;
  Document document = start_document("probe-comm", {});
  static_cast<void>(ringside::measure(plan, request, clock, monitor, document));
  return document;
}

}  // namespace ringside
