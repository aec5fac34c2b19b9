#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/finding.hpp"
#include "model/init_trace.hpp"
#include "model/row.hpp"
#include "model/spec_result.hpp"

namespace ringside {

// What distinguishes one machine from another, as ordered facts ("cpu" -> "AMD EPYC", "cores" -> "2", ...),
// grouped. Numbers are kept as text: facts are compared and shown, not calculated with.
struct Fingerprint {
  std::string name;  // one line for people: "2 cores AMD EPYC, 23.4 GiB, Linux 6.1"
  std::vector<std::pair<std::string, std::string>> facts;
};

// How a sweep was measured: what a reader needs to trust or repeat it.
struct Method {
  std::uint64_t seed = 0;
  int launches = 0;  // finished ones
  int launches_wanted = 0;
  int rounds_min = 0;  // fewest rounds that any size got in a launch
  int rounds_max = 0;
  double budget_s = 0;
  double elapsed_s = 0;
  std::string stop_reason;   // "interval" when every size converged, else "budget", "rounds" or "interrupted"
  std::string verification;  // one sentence
};

// Who won a group: the contestants of one message size, dtype and mode. Writers take winners from here, never
// from the text of a Finding.
struct GroupVerdict {
  Bytes bytes;
  DType dtype = DType::bf16;
  Mode mode = Mode::eager;
  std::optional<std::string> winner;  // entry name (entry_name()); absent: a tie, or nothing to compare
  std::vector<std::string> tied;      // entry names, fastest first, when it is a tie; else empty
  double ratio = 1;  // median of the runner-up / median of the winner (of the second / of the first)
  std::optional<Interval> ratio_interval;  // hull of the launches' 95 % intervals of that ratio
  std::string reason;  // why no winner could be named: "needs 3 launches", ...; may be empty
  Collective collective = Collective::allreduce;
};

// The binary that made a Document; words as in BuildInfo.
struct ToolInfo {
  std::string version;
  std::string commit;
  std::string compiler;
  std::string build_type;
  std::string cuda_version;
  std::string sanitizers;
};

ToolInfo this_tool();

// One side of a comparison: where its launches come from.
struct ComparedSide {
  std::vector<std::string> files;  // of a side that was measured for the comparison: the binary
  ToolInfo tool;                   // of the first file, as are the next two
  std::string machine;             // its one line for people
  std::string started;
};

// How two sides were compared.
struct ComparisonMethod {
  ComparedSide base;
  ComparedSide now;
  bool judged = true;        // false: across machines, where a difference says nothing about the code
  double alpha = 0;          // level of a rank test
  std::string calibration;   // where the calibrated thresholds come from; empty: there are none
  std::string confirmation;  // how suspects were measured again, or why they were not; empty: no suspects
};

// What the link between the ranks can do at best, as it was measured with messages of one size. Floors are
// made of it.
struct LinkMeasurement {
  Bytes bytes;
  double one_way_latency_ns = 0;
  double node_gap_ns = 0;  // between two empty nodes of a graph; 0 where there are no graphs
  std::optional<double>
      bandwidth_gbps;  // one direction of a rank while all pairs talk; absent: not measurable here
};

struct Document {
  std::string command;  // the subcommand, e.g. "probe-comm"
  std::vector<std::string> argv;
  std::string started;    // ISO 8601, UTC
  bool complete = false;  // false: interrupted, or still being written
  Fingerprint machine;
  std::vector<std::pair<std::string, std::string>> environment;  // only listed variables
  std::optional<Method> method;
  std::vector<LinkMeasurement> links;  // one for each size, ascending
  std::vector<Row> rows;
  std::vector<GroupVerdict> verdicts;  // at most one for each group
  std::vector<Finding> findings;
  std::optional<InitTrace> trace;              // of trace-init; its Findings are among those above
  std::optional<SpecResult> spec;              // of run-spec
  std::optional<ComparisonMethod> comparison;  // when rows were compared with earlier ones
  ToolInfo tool = this_tool();                 // stays that of the measurement when a Document is read back

  // The Finding with this id, or null.
  const Finding* find(const std::string& id) const;
};

inline constexpr const char* kSchemaName = "ringside.document";
// Major: breaking; minor: additions. Apart from the tool's version.
inline constexpr const char* kSchemaVersion = "1.5.0";

// Adds `finding` unless one with the same id is there; then its new evidence is appended. Returns the id.
std::string add_finding(Document& document, Finding finding);

// The Document as JSON text in the form of docs/schema/document-1.json, ending in a newline. With pretty =
// false, one line. Never throws for what the Document holds: a number that is not finite is null, and invalid
// UTF-8 is replaced by U+FFFD.
std::string to_json(const Document& document, bool pretty = true);

// Reads what to_json wrote (same major version; unknown keys are ignored; null where a number must be is
// NaN). Throws UsageError that names `origin` and the place: line and column of malformed JSON, else the path
// ("$.rows[3].params.bytes") and what was expected there.
Document document_from_json(const std::string& text, const std::string& origin);

}  // namespace ringside
