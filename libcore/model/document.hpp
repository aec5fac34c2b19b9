#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/doctor_result.hpp"
#include "model/finding.hpp"
#include "model/init_trace.hpp"
#include "model/published.hpp"
#include "model/request.hpp"
#include "model/row.hpp"
#include "model/spec_result.hpp"

namespace ringside {

// What distinguishes one machine from another, as ordered facts ("cpu" -> "AMD EPYC", "cores" -> "2", ...),
// grouped. Numbers are kept as text: facts are compared and shown, not calculated with.
struct Fingerprint {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;
};

template <typename Fields>
void describe(Fields& fields, const Fingerprint*) {
  fields.record("machine", "Where it ran.");
  fields.add("name", &Fingerprint::name, "One line for people: '2 cores AMD EPYC, 23.4 GiB, Linux 6.1'.");
  fields.add("facts", &Fingerprint::facts,
             "What distinguishes this machine from another. Compared and shown, not calculated with.");
}

// How a sweep was measured: what a reader needs to trust or repeat it.
struct Method {
  std::uint64_t seed = 0;
  int launches = 0;
  int launches_wanted = 0;
  int rounds_min = 0;
  int rounds_max = 0;
  double budget_s = 0;
  double elapsed_s = 0;
  std::string stop_reason;
  std::string verification;
};

template <typename Fields>
void describe(Fields& fields, const Method*) {
  fields.record("method", "How a sweep was measured.");
  fields.add("seed", &Method::seed, "Draws the order of strategies and the verification data.",
             ranges::kSeed);
  fields.add("launches", &Method::launches, "Finished ones: fresh processes, fresh buffers.", ranges::kCount);
  fields.add("launches_wanted", &Method::launches_wanted, "That were asked for.", ranges::kCount);
  fields.add("rounds_min", &Method::rounds_min, "Fewest rounds that any size got in a launch.",
             ranges::kCount);
  fields.add("rounds_max", &Method::rounds_max, "Most rounds.", ranges::kCount);
  fields.add("budget_s", &Method::budget_s, "For the whole command.", ranges::kDuration);
  fields.add("elapsed_s", &Method::elapsed_s, "That it took.", ranges::kDuration);
  fields.add("stop_reason", &Method::stop_reason,
             "'interval' when every size converged, else 'budget', 'rounds' or 'interrupted'.");
  fields.add("verification", &Method::verification, "What was verified, in one sentence.");
}

// Who won a group: the candidates of one message size, dtype and mode. Writers take winners from here, never
// from the text of a Finding.
struct GroupVerdict {
  Bytes bytes;
  DType dtype = DType::bf16;
  Mode mode = Mode::eager;
  std::optional<std::string> winner;
  std::vector<std::string> tied;
  double ratio = 1;
  std::optional<Interval> ratio_interval;
  std::string reason;
  Collective collective = Collective::allreduce;
};

template <typename Fields>
void describe(Fields& fields, const GroupVerdict*) {
  fields.record("verdict", "Who won a group: the strategies of one message size, dtype and mode.");
  fields.add("bytes", &GroupVerdict::bytes, "Of the message that each rank contributes.", ranges::kMessage);
  fields.add("dtype", &GroupVerdict::dtype, "Of the elements.");
  fields.add("mode", &GroupVerdict::mode, "Of the calls.");
  fields.add(
      "winner", &GroupVerdict::winner,
      "A strategy, '#2' and so on for further entries of the same; null: a tie, or nothing to compare.");
  fields.add("tied", &GroupVerdict::tied, "Strategies, fastest first, when it is a tie.");
  fields.add("ratio", &GroupVerdict::ratio,
             "Median of the runner-up by that of the winner, or of the second by that of the first.",
             ranges::kRatio);
  fields.add("ratio_interval", &GroupVerdict::ratio_interval,
             "Hull of the launches' 95 % intervals of that ratio.", ranges::kRatio);
  fields.add("reason", &GroupVerdict::reason,
             "Why no winner could be named, such as 'needs 3 launches'; may be empty.");
  fields.add("collective", &GroupVerdict::collective, "Of the group.").since_minor(1);
}

// The binary that made a Document; words as in BuildInfo.
struct ToolInfo {
  std::string version;
  std::string commit;
  std::string compiler;
  std::string build_type;
  std::string cuda_version;
  std::string sanitizers;
};

template <typename Fields>
void describe(Fields& fields, const ToolInfo*) {
  fields.record("tool", "The binary that made the document.");
  fields.add("version", &ToolInfo::version, "Of ringside.");
  fields.add("commit", &ToolInfo::commit,
             "Of its sources; 'unknown' outside a git checkout, '-dirty' with changed files.");
  fields.add("compiler", &ToolInfo::compiler, "That built it.");
  fields.add("build_type", &ToolInfo::build_type, "CMake's.");
  fields.add("cuda_version", &ToolInfo::cuda_version, "Of the toolkit; empty: built without CUDA.");
  fields.add("sanitizers", &ToolInfo::sanitizers, "Built in; empty: none.");
}

ToolInfo this_tool();

// One side of a comparison: where its launches come from.
struct ComparedSide {
  std::vector<std::string> files;
  ToolInfo tool;
  std::string machine;
  std::string started;
};

template <typename Fields>
void describe(Fields& fields, const ComparedSide*) {
  fields.record("compared_side", "Where the launches of one side come from.");
  fields.add("files", &ComparedSide::files,
             "The documents; of a side that was measured for the comparison, the binary.");
  fields.add("tool", &ComparedSide::tool, "Of the first document, as are the next two.");
  fields.add("machine", &ComparedSide::machine, "One line for people.");
  fields.add("started", &ComparedSide::started, "As in the document of the measurement.");
}

// How two sides were compared.
struct ComparisonMethod {
  ComparedSide base;
  ComparedSide now;
  bool judged = true;
  double alpha = 0;
  std::string calibration;
  std::string confirmation;
};

template <typename Fields>
void describe(Fields& fields, const ComparisonMethod*) {
  fields.record("comparison_method", "Two sides, and how they were compared.");
  fields.add("base", &ComparisonMethod::base, "The earlier side.");
  fields.add("new", &ComparisonMethod::now, "The side that is judged.");
  fields.add("judged", &ComparisonMethod::judged,
             "False: across machines, where a difference says nothing about the code.");
  fields.add("alpha", &ComparisonMethod::alpha, "Level of a one-sided rank test.", ranges::kProbability);
  fields.add("calibration", &ComparisonMethod::calibration,
             "Where calibrated thresholds come from; empty: there are none.");
  fields.add("confirmation", &ComparisonMethod::confirmation,
             "How suspects were measured again, or why they were not; empty: there were none.");
}

// What the link between the ranks can do at best, as it was measured with messages of one size. Floors are
// made of it.
struct LinkMeasurement {
  Bytes bytes;
  std::optional<double> one_way_latency_ns = {};
  std::optional<double> node_gap_ns = {};
  std::optional<double> bandwidth_gbps = {};
};

template <typename Fields>
void describe(Fields& fields, const LinkMeasurement*) {
  fields.record("link", "What the link between the ranks can do at best, at one message size.");
  fields.add("bytes", &LinkMeasurement::bytes, "Of a message.", ranges::kMessage);
  fields.add("one_way_latency_ns", &LinkMeasurement::one_way_latency_ns,
             "A flag from one rank to another, at the fastest place; null where it was not measured.",
             ranges::kElapsed);
  fields.add(
      "node_gap_ns", &LinkMeasurement::node_gap_ns,
      "Between two empty nodes of a graph; no part of a floor. Null where there are no graphs (0 before "
      "schema 1.5.0).",
      ranges::kElapsed);
  fields.add(
      "bandwidth_gbps", &LinkMeasurement::bandwidth_gbps,
      "One direction of a rank while all pairs talk, on the host while fresh data are added up; null where "
      "it was not measured.",
      ranges::kRate);
}

inline constexpr const char* kSchemaName = "ringside.document";
inline constexpr int kSchemaMajor = 1;  // breaking changes

// "1.4.0", apart from the tool's version. The minor version is that of the newest field: additions.
std::string schema_version();

struct Document {
  std::string command;
  std::vector<std::string> argv;
  std::string started;
  bool complete = false;
  Fingerprint machine;
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<SweepRequest> request;
  std::vector<InputText> inputs;
  std::optional<Method> method;
  std::vector<LinkMeasurement> links;
  std::vector<Row> rows;
  std::vector<GroupVerdict> verdicts;
  std::vector<PublishedComparison> published;
  std::vector<Finding> findings;
  std::optional<InitTrace> trace;
  std::optional<SpecResult> spec;
  std::optional<DoctorResult> doctor;
  std::optional<ComparisonMethod> comparison;
  ToolInfo tool = this_tool();

  // The Finding with this id, or null.
  const Finding* find(const std::string& id) const;

  // What each says of itself.
  std::string schema() const { return kSchemaName; }
  std::string version() const { return schema_version(); }
};

template <typename Fields>
void describe(Fields& fields, const Document*) {
  fields.record(
      "document",
      "What a ringside command measured and concluded. A reader ignores keys that it does not know, as "
      "minor versions may add some. A number that is absent or not finite is null. Times are in ns, "
      "rates in decimal GB/s.");
  fields.derived("schema", &Document::schema, "What kind of file this is.").matches("^ringside[.]document$");
  fields
      .derived("schema_version", &Document::version,
               "Major: breaking changes; minor: additions. Apart from the tool's version.")
      .matches("^1[.][0-9]+[.][0-9]+$");
  fields.add("tool", &Document::tool, "The binary that measured it; it stays when others read and write it.");
  fields.add("command", &Document::command, "The subcommand, such as 'probe-comm'.").not_empty();
  fields.add("argv", &Document::argv, "The command line, program name first.");
  fields.add("started", &Document::started, "When the command began: ISO 8601, UTC.")
      .matches("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$");
  fields.add("complete", &Document::complete, "False: interrupted, or still being written.");
  fields.add("machine", &Document::machine, "Where it ran.");
  fields.add("environment", &Document::environment,
             "Environment variables that bear on the result; only those on ringside's list.");
  fields
      .add("request", &Document::request,
           "What was asked, after flags, scenario and defaults were put together; null where nothing was "
           "measured or calculated.")
      .since_minor(5);
  fields
      .add("inputs", &Document::inputs,
           "The texts that took part in what was asked: scenario, machine profile, config.json, logs.")
      .since_minor(5);
  fields.add("method", &Document::method, "How it was measured; null where nothing was.");
  fields
      .add("comparison", &Document::comparison,
           "How rows were compared with earlier ones; null where they were not.")
      .since_minor(2);
  fields.add(
      "links", &Document::links,
      "What the link between the ranks can do at best, measured once for each message size; ascending.");
  fields.add("verdicts", &Document::verdicts, "Who won, at most one for each message size, dtype and mode.");
  fields
      .add(
          "published", &Document::published,
          "Measured rows beside published times of the same GPU model and count; empty where there are none.")
      .since_minor(5);
  fields.add("findings", &Document::findings, "What the tool concludes. Ids are unique.");
  fields.add("rows", &Document::rows, "One for each case.");
  fields
      .add("trace", &Document::trace,
           "Of trace-init: the initialisation of a server, step by step; null elsewhere. Its findings are "
           "among "
           "those above.")
      .since_minor(1);
  fields.add("spec", &Document::spec, "Of run-spec: whether speculation pays; null elsewhere.")
      .since_minor(1);
  fields
      .add("doctor", &Document::doctor,
           "Of doctor: checks of a box and the facts behind them; null elsewhere.")
      .since_minor(5);
}

// Adds `finding` unless one with the same id is there; then its new evidence is appended. Returns the id.
std::string add_finding(Document& document, Finding finding);

// The Document as JSON text in the form of docs/schema/document-1.json, ending in a newline. With pretty =
// false, one line. Never throws for what the Document holds: a number that is not finite is null, and invalid
// UTF-8 is replaced by U+FFFD.
std::string to_json(const Document& document, bool pretty = true);

// The JSON Schema (2020-12) of what to_json writes, which docs/schema/document-1.json is.
std::string document_schema();

// Reads what to_json wrote (same major version; unknown keys are ignored; null where a number must be is
// NaN). Throws UsageError that names `origin` and the place: line and column of malformed JSON, else the path
// ("$.rows[3].params.bytes") and what was expected there.
Document document_from_json(const std::string& text, const std::string& origin);

}  // namespace ringside
