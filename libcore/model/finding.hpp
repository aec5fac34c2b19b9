#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

enum class Severity { note, warning, error };

std::string_view to_string(Severity severity);
Severity parse_severity(std::string_view text);  // throws UsageError that lists the valid names

// What the tool concludes: the reason of a skipped case, a failed check, a winner or a tie, a root cause.
struct Finding {
  // Stable code: "winner", "tie", "wrong-data", "rank-lost", "timeout", "not-admitted", ...
  std::string kind;
  Severity severity = Severity::note;
  std::string subject;                // what it is about: a case name, a strategy, a file
  std::string message;                // one sentence
  std::vector<std::string> evidence;  // facts that carry it, one a line
  std::string remedy;                 // what to do; may be empty

  // Unique in a Document and stable between runs; a Row points to its Findings by it.
  std::string id() const { return kind + ":" + subject; }
};

}  // namespace ringside
