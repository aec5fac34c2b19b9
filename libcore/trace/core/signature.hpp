#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/init_trace.hpp"
#include "trace/core/condition.hpp"

namespace ringside {

// A known way to die (or a known warning), as data: how to recognise it and how to explain it.
struct Signature {
  struct Match {
    std::string error;                     // exception type without its module; empty: any
    std::string file, function;            // of the innermost frame (the end of its path); empty: any
    std::vector<std::string> message;      // every text must occur in the message
    std::vector<std::string> any_message;  // at least one must occur in the message
    std::vector<std::string> message_is;   // the message is one of these
    std::string source;                    // in the innermost frame's line of source, where a log shows it
    std::vector<std::string>
        any_file;            // a frame of one of these must be on the stack: "file", "file:function"
    std::string source_has;  // as `source`, and the log must show that line
    // At least one must occur in the message, or in a line that stands right before: what a library said
    // before it gave up, or the last words of a process that left no traceback.
    std::vector<std::string> near;
    bool wraps = false;  // an exception that only passes on another: where that one is known, it says more
    std::vector<std::string> lines;  // warnings: at least one occurs in a line of the log
  };
  struct Cause {
    std::optional<Condition> when;  // absent: always; undecided counts as no, unless no other cause holds
    std::string text;
    std::vector<std::string> evidence;
  };
  struct NotCause {
    std::string what;
    std::string why;
    Condition when;
  };
  struct Remedy {
    std::string action;
    std::string cost;
    Condition when;
    std::string patch = {};  // a unified diff, of which only the place is a comment; may be empty
  };

  std::string id;  // file name of the scenario
  std::string title;
  std::vector<std::string> sources;     // addresses of reports; may be empty
  std::string versions;                 // of the server or library that are known to die so; may be empty
  Severity severity = Severity::error;  // of the root cause
  Match match;
  std::string symptom;
  std::vector<Cause> causes;
  std::vector<NotCause> not_causes;
  std::vector<Remedy> remedies;  // in the order in which to try them

  // `before` are the lines right before the death, of the same process where a log tells them apart. In texts
  // of `near` and `any_message`, " ... " stands for anything.
  bool matches(const TraceDeath& death, const std::vector<std::string>& before = {}) const;
  // Of lines right before a death, the first that this signature looks for; empty: it looks for none.
  std::vector<std::string> lines_near(const std::vector<std::string>& before) const;
  bool matches_line(std::string_view line) const;  // a warning
};

// The signatures in this binary, in the order of their ids. Throws UsageError for one that is not as it must
// be.
std::vector<Signature> load_signatures();

// The signature that fits; null: none. Of several, the one that asks for most.
const Signature* find_signature(const std::vector<Signature>& signatures, const TraceDeath& death,
                                const std::vector<std::string>& before = {});

}  // namespace ringside
