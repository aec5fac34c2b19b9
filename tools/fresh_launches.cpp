#include "fresh_launches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/errors.hpp"
#include "gate/cases.hpp"
#include "gate/fingerprint_match.hpp"
#include "machine/fingerprint.hpp"
#include "machine/gpu_fingerprint.hpp"
#include "measured_run.hpp"
#include "run_document.hpp"

namespace ringside {
namespace {

bool same_build(const ToolInfo& a, const ToolInfo& b) {
  return a.version == b.version && a.commit == b.commit && a.compiler == b.compiler &&
         a.build_type == b.build_type && a.sanitizers == b.sanitizers;
}

// What it says it was told; throws UsageError when this build does not take that.
ProbeOptions options_of(const Document& document) {
  ProbeOptions options;
  OptionTable table;
  options.declare(table);
  parse_options(table, document.command, std::span(document.argv).subspan(2));
  return options;
}

// The first fact in which what the Document was measured under differs from this box as it is now.
std::string difference(const Document& document, const ProbeRequest& request) {
  const Document here = start_document(document.command, document.argv);
  Fingerprint machine = fingerprint_host();
  if (request.context.gpus) add_gpu_facts(machine, *request.context.gpus, Nvml::open().get());
  auto differences = differing_facts(document.machine, machine);
  const auto environment = differing_facts({"", document.environment}, {"", here.environment});
  differences.insert(differences.end(), environment.begin(), environment.end());
  return differences.empty() ? "" : describe(differences.front());
}

}  // namespace

FreshLaunches::FreshLaunches(const Document& document) {
  if (document.command != "probe-comm" || document.argv.size() < 2) {
    obstacle_ = "the new result is not from probe-comm";
  } else if (!same_build(document.tool, this_tool())) {
    obstacle_ = fmt::format("the new result is from another build ({})", document.tool.commit);
  } else {
    try {
      request_ = resolve(options_of(document));
      const std::string differs = difference(document, request_);
      if (!differs.empty()) obstacle_ = "this is not where the new result was measured: " + differs;
    } catch (const Error& problem) {
      obstacle_ = problem.what();
    }
  }
}

Document FreshLaunches::measure(const std::vector<Case>& cases, int launches, const Clock& clock,
                                Console& console) const {
  ProbeRequest request = request_;
  Plan plan = make_plan(request.sweep, request.context);
  const auto all = static_cast<std::int64_t>(plan.groups.size());
  std::set<std::string> wanted;
  for (const Case& params : cases) wanted.insert(case_key(params));
  keep_groups(plan, [&](const Case& params) { return wanted.contains(case_key(params)); });
  // As long for each launch of a group as before.
  const auto kept = static_cast<std::int64_t>(plan.groups.size());
  plan.request.budget =
      plan.request.budget * kept * launches / std::max<std::int64_t>(all * request.sweep.launches, 1);
  plan.request.launches = launches;
  plan.request.firm_budget = false;
  request.sweep = plan.request;
  Document document = start_document("probe-comm", {});
  Outputs none(clock);
  static_cast<void>(ringside::measure(plan, request, clock, console, none, document));
  return document;
}

}  // namespace ringside
