#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/field_range.hpp"
#include "model/finding_kinds.hpp"

namespace ringside {

std::string_view to_string(Severity severity);
Severity parse_severity(std::string_view text);  // throws UsageError that lists the valid names

// What the tool concludes: the reason of a skipped case, a failed check, a winner or a tie, a root cause.
struct Finding {
  std::string kind;  // finding_kind("wrong-data")
  Severity severity = Severity::note;
  std::string subject;
  std::string message;
  std::vector<std::string> evidence;
  std::string remedy;

  // Unique in a Document and stable between runs; a Row points to its Findings by it.
  std::string id() const { return kind + ":" + subject; }
};

template <typename Fields>
void describe(Fields& fields, const Finding*) {
  fields.record("finding",
                "A conclusion: why a case was skipped, a failed check, a winner or a tie, a root cause.");
  fields.derived("id", &Finding::id, "kind:subject, unique in the document and stable between runs.")
      .matches("^[^:]+:");
  fields.add("kind", &Finding::kind, "A stable code: 'winner', 'tie', 'wrong-data', 'rank-lost', ...")
      .matches("^[a-z0-9]+(-[a-z0-9]+)*$");
  fields.add("severity", &Finding::severity, "How much it matters.");
  fields.add("subject", &Finding::subject, "What it is about: a case, a strategy, a file.");
  fields.add("message", &Finding::message, "One sentence.").not_empty();
  fields.add("evidence", &Finding::evidence, "Facts that carry it, one a line.");
  fields.add("remedy", &Finding::remedy, "What to do; may be empty.");
}

}  // namespace ringside
