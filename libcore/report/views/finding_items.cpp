#include "report/views/finding_items.hpp"

#include "report/views/conclusions.hpp"

namespace ringside {
namespace {

Style style_of(Severity severity) {
  if (severity == Severity::error) return Style::error;
  return severity == Severity::warning ? Style::warning : Style::note;
}

FindingItem item_of(const FindingGroup& group) {
  const Finding& finding = *group.finding;
  const std::string word(to_string(finding.severity));
  return {.kind = finding.kind,
          .severity = finding.severity,
          .word = word,
          .label = word,
          .tone = word,
          .style = style_of(finding.severity),
          .text = group.sentence(),
          .evidence = finding.evidence,
          .remedy = finding.remedy};
}

FindingItem item_of(const SkippedGroup& group) {
  const Finding reason = group.reason == nullptr ? Finding{} : *group.reason;
  return {.kind = reason.kind,
          .severity = reason.severity,
          .word = "skipped",
          .label = "skipped",
          .tone = "note",
          .style = Style::note,
          .text = group.sentence(),
          .evidence = reason.evidence,
          .remedy = reason.remedy};
}

}  // namespace

Findings finding_items(const Document& document) {
  const Conclusions conclusions = conclude(document);
  Findings findings;
  for (const FindingGroup& group : conclusions.findings) findings.items.push_back(item_of(group));
  for (const SkippedGroup& group : conclusions.skipped) findings.skipped.push_back(item_of(group));
  findings.untold_notes = conclusions.untold_notes();
  return findings;
}

}  // namespace ringside
