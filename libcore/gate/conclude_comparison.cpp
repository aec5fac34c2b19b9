#include <fmt/format.h>

#include <utility>

#include "base/units.hpp"
#include "gate/compare.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

std::string percent(double ratio) {
  return fmt::format("{:.1f} %", 100 * ratio);
}

std::string numbers(const ComparisonStage& stage) {
  if (!stage.ratio) return "no time";
  std::string text =
      fmt::format("{} and {} launches, {} and {}: {:.3f} times", stage.base_ns.size(), stage.new_ns.size(),
                  format_time_ns(median(stage.base_ns)), format_time_ns(median(stage.new_ns)), *stage.ratio);
  if (stage.ratio_interval90)
    text += fmt::format(", {:.3f} to {:.3f}", stage.ratio_interval90->low, stage.ratio_interval90->high);
  return text + fmt::format(", p = {:.2g}", stage.p_slower);
}

Finding regression(const Row& row, const ComparisonMethod& method) {
  const Comparison& comparison = *row.comparison;
  const double ratio = *comparison.stages.back().ratio;
  Finding finding{
      .kind = finding_kind("regression"),
      .severity = Severity::error,
      .subject = case_name(row.params),
      .message = fmt::format("{} is {} slower than before, where {} counts", case_name(row.params),
                             percent(ratio - 1), percent(comparison.threshold)),
      .evidence = {},
      .remedy = ""};
  const char* const names[] = {"first look", "fresh launches"};
  for (std::size_t i = 0; i < comparison.stages.size() && i < std::size(names); ++i)
    finding.evidence.push_back(fmt::format("{}: {}", names[i], numbers(comparison.stages[i])));
  if (method.base.tool.commit != method.now.tool.commit) {
    finding.remedy = fmt::format("look at what changed between commits {} and {}", method.base.tool.commit,
                                 method.now.tool.commit);
  }
  return finding;
}

// What a row's verdict says beside its numbers; nothing for one that needs no words.
std::optional<Finding> describe_row(const Row& row, const ComparisonMethod& method) {
  const std::string name = case_name(row.params);
  const std::string& reason = row.comparison->reason;
  switch (row.status) {
    case Status::regress:
      return regression(row, method);
    case Status::improve:
      return Finding{.kind = finding_kind("improvement"),
                     .severity = Severity::note,
                     .subject = name,
                     .message = reason.empty() ? "faster than before" : reason,
                     .evidence = {},
                     .remedy = "update the baseline with the new result"};
    case Status::ambiguous:
      return Finding{.kind = finding_kind("ambiguous"),
                     .severity = Severity::note,
                     .subject = name,
                     .message = reason,
                     .evidence = {},
                     .remedy = ""};
    case Status::failed:
    case Status::timeout:
    case Status::skipped:
    case Status::pass:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void conclude_comparison(Document& result) {
  for (Row& row : result.rows) {
    if (auto finding = describe_row(row, *result.comparison))
      row.findings.push_back(add_finding(result, *std::move(finding)));
  }
}

}  // namespace ringside
