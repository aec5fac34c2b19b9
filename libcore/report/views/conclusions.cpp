#include "report/views/conclusions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.hpp"
#include "report/views/finding_index.hpp"
#include "report/views/size_ranges.hpp"

namespace ringside {
namespace {

// The rows skipped for one reason; `reason` is null where a row names none.
struct Skipped {
  const Finding* reason = nullptr;
  std::vector<const Row*> rows;
};

const Finding* reason_of(const FindingIndex& findings, const Row& row) {
  return row.findings.empty() ? nullptr : findings.find(row.findings.front());
}

bool same_reason(const Finding* a, const Finding* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->kind == b->kind && a->message == b->message && a->remedy == b->remedy;
}

std::vector<Skipped> skipped_by_reason(const Document& document) {
  const FindingIndex findings(document);
  std::vector<Skipped> groups;
  for (const Row& row : document.rows) {
    if (row.status != Status::skipped) continue;
    const Finding* reason = reason_of(findings, row);
    auto group =
        std::ranges::find_if(groups, [&](const Skipped& g) { return same_reason(g.reason, reason); });
    if (group == groups.end()) group = groups.insert(groups.end(), Skipped{reason, {}});
    group->rows.push_back(&row);
  }
  return groups;
}

SkippedGroup describe(const Document& document, const Skipped& skipped) {
  std::vector<std::string> entries;
  std::set<Bytes> chosen, all;
  for (const Row* row : skipped.rows) {
    const std::string entry = entry_name(row->params);
    if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    chosen.insert(row->params.bytes);
  }
  std::size_t total = 0;
  for (const Row& row : document.rows) {
    all.insert(row.params.bytes);
    if (std::ranges::find(entries, entry_name(row.params)) != entries.end()) ++total;
  }
  const std::vector<Bytes> chosen_sizes(chosen.begin(), chosen.end()), all_sizes(all.begin(), all.end());
  std::string which =
      fmt::format("{} of {} cases: {}", skipped.rows.size(), total, size_ranges(chosen_sizes, all_sizes));
  if (skipped.rows.size() == total) which = total == 1 ? "its one case" : fmt::format("all {} cases", total);
  return {skipped.reason, fmt::format("{} ({})", join(entries, ", "), which)};
}

// Ids of Findings that are only the reason of skipped rows: they are told there.
std::set<std::string> told_as_skipped(const Document& document) {
  std::set<std::string> skipped, others;
  for (const Row& row : document.rows) {
    if (row.status == Status::skipped) {
      if (!row.findings.empty()) skipped.insert(row.findings.front());
    } else {
      others.insert(row.findings.begin(), row.findings.end());
    }
  }
  std::set<std::string> only;
  std::ranges::set_difference(skipped, others, std::inserter(only, only.end()));
  return only;
}

bool same_but_subject(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.severity == b.severity && a.message == b.message && a.evidence == b.evidence &&
         a.remedy == b.remedy;
}

// Said by the rows of comparison_grid() already.
bool told_by_comparison(const Finding& finding) {
  return finding.kind == finding_kind("ambiguous") || finding.kind == finding_kind("improvement");
}

}  // namespace

std::string FindingGroup::sentence() const {
  if (subjects.size() == 1 && finding->message.find(subjects.front()) != std::string::npos)
    return finding->message;
  const std::string named = join(subjects, ", ");
  return named.empty() ? finding->message : named + ": " + finding->message;
}

std::string SkippedGroup::sentence() const {
  return who + ": " + (reason == nullptr ? "no reason was recorded" : reason->message);
}

std::size_t Conclusions::untold_notes() const {
  return static_cast<std::size_t>(std::ranges::count_if(findings, [](const FindingGroup& group) {
    const Finding& finding = *group.finding;
    const bool verdict = finding.kind == finding_kind("winner") || finding.kind == finding_kind("tie") ||
                         finding.kind == finding_kind("alone") || finding.kind == finding_kind("undecided");
    return finding.severity == Severity::note && !verdict;
  }));
}

Conclusions conclude(const Document& document) {
  Conclusions conclusions;
  if (!document.comparison) {
    for (const Skipped& skipped : skipped_by_reason(document))
      conclusions.skipped.push_back(describe(document, skipped));
  }
  const std::set<std::string> told = told_as_skipped(document);
  for (const Finding& finding : document.findings) {
    if (document.comparison ? told_by_comparison(finding)
                            : finding.severity != Severity::error && told.contains(finding.id()))
      continue;
    auto group = std::ranges::find_if(
        conclusions.findings, [&](const FindingGroup& g) { return same_but_subject(*g.finding, finding); });
    if (group == conclusions.findings.end()) {
      group = conclusions.findings.insert(group, FindingGroup{&finding, {}});
    }
    group->subjects.push_back(finding.subject);
  }
  std::ranges::stable_sort(conclusions.findings, std::greater{},
                           [](const FindingGroup& group) { return group.finding->severity; });
  return conclusions;
}

}  // namespace ringside
