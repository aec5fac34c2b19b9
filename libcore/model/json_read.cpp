#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/large_pages.hpp"
#include "model/document.hpp"
#include "model/json_place.hpp"
#include "model/request_json.hpp"
#include "model/spec_json.hpp"

namespace ringside {
namespace {

using Place = JsonPlace;

std::string read_text(const Place& place) {
  return place.text();
}
double read_number(const Place& place) {
  return place.number();
}

Interval read_interval(const Place& place) {
  return {place["low"].number(), place["high"].number()};
}

Statistics read_statistics(const Place& place) {
  return {.samples = place["samples"].whole<std::size_t>(),
          .median_ns = place["median_ns"].number(),
          .interval95_ns = place["interval95_ns"].optional(read_interval),
          .min_ns = place["min_ns"].number(),
          .p90_ns = place["p90_ns"].optional(read_number),
          .p99_ns = place["p99_ns"].optional(read_number)};
}

HeardRange read_nccl_call(const Place& place) {
  return {.name = place["name"].text(),
          .count = place["count"].whole<int>(),
          .time_ns = place["time_ns"].number()};
}

LaunchSamples read_launch(const Place& place) {
  return {.launch = place["launch"].whole<int>(),
          .calls_per_sample = place["calls_per_sample"].whole<int>(),
          .samples_per_round = place["samples_per_round"].whole<int>(),
          .samples_ns = place["samples_ns"].list(read_number),
          .first_call_ns = place["first_call_ns"].optional(read_number),
          .nccl_calls =
              place.has("nccl_calls") ? place["nccl_calls"].list(read_nccl_call) : std::vector<HeardRange>{},
          .floor_ns = place.has("floor_ns") ? place["floor_ns"].optional(read_number) : std::nullopt};
}

Verification read_verification(const Place& place) {
  return {.calls = place["calls"].whole<std::uint64_t>(),
          .elements = place["elements"].whole<std::uint64_t>(),
          .bitwise_across_ranks = place["bitwise_across_ranks"].boolean()};
}

ClockRecord read_clocks(const Place& place) {
  return {.sm_mhz_min = place["sm_mhz_min"].whole<unsigned>(),
          .sm_mhz_max = place["sm_mhz_max"].whole<unsigned>(),
          .held_by = place["held_by"].list(read_text)};
}

SkewRecord read_skew(const Place& place) {
  return {.delay_ns = place["delay_ns"].number(),
          .others_ns = place["others_ns"].number(),
          .after_arrival_ns = place["after_arrival_ns"].number()};
}

LinkMeasurement read_link(const Place& place) {
  return {.bytes = {place["bytes"].whole<std::uint64_t>()},
          .one_way_latency_ns = place["one_way_latency_ns"].number(),
          .node_gap_ns = place["node_gap_ns"].number(),
          .bandwidth_gbps = place["bandwidth_gbps"].optional(read_number)};
}

Case read_case(const Place& place) {
  return {.collective = place["collective"].word(parse_collective),
          .strategy = place["strategy"].text(),
          .family = place["family"].text(),
          .entry = place["entry"].whole<int>(),
          .device = place["device"].word(parse_device),
          .mode = place["mode"].word(parse_mode),
          .bytes = {place["bytes"].whole<std::uint64_t>()},
          .dtype = place["dtype"].word(parse_dtype),
          .ranks = place["ranks"].whole<int>(),
          .load = place.has("load") ? place["load"].list(read_number) : std::vector<double>{}};
}

ComparisonStage read_stage(const Place& place) {
  return {.base_ns = place["base_ns"].list(read_number),
          .new_ns = place["new_ns"].list(read_number),
          .ratio = place["ratio"].optional(read_number),
          .ratio_interval90 = place["ratio_interval90"].optional(read_interval),
          .p_slower = place["p_slower"].number(),
          .p_faster = place["p_faster"].number()};
}

Comparison read_comparison(const Place& place) {
  return {.threshold = place["threshold"].number(),
          .threshold_origin = place["threshold_origin"].word(parse_threshold_origin),
          .reason = place["reason"].text(),
          .stages = place["stages"].list(read_stage)};
}

Row read_row(const Place& place) {
  return {
      .params = read_case(place["params"]),
      .status = place["status"].word(parse_status),
      .origin = place["origin"].word(parse_origin),
      .time = place["time"].optional(read_statistics),
      .launches = place["launches"].list(read_launch),
      .algbw_gbps = place["algbw_gbps"].optional(read_number),
      .busbw_gbps = place["busbw_gbps"].optional(read_number),
      .floor_ns = place["floor_ns"].optional(read_number),
      .of_floor = place["of_floor"].optional(read_number),
      .verification = place["verification"].optional(read_verification),
      .asked = place["asked"].optional(read_text),
      .ran = place["ran"].optional(read_text),
      .chosen_by = place.has("chosen_by") ? place["chosen_by"].optional(read_text) : std::nullopt,
      .clocks = place["clocks"].optional(read_clocks),
      .skew = place["skew"].optional(read_skew),
      .comparison = place.has("comparison") ? place["comparison"].optional(read_comparison) : std::nullopt,
      .findings = place["findings"].list(read_text)};
}

GroupVerdict read_verdict(const Place& place) {
  return {.bytes = {place["bytes"].whole<std::uint64_t>()},
          .dtype = place["dtype"].word(parse_dtype),
          .mode = place["mode"].word(parse_mode),
          .winner = place["winner"].optional(read_text),
          .tied = place["tied"].list(read_text),
          .ratio = place["ratio"].number(),
          .ratio_interval = place["ratio_interval"].optional(read_interval),
          .reason = place["reason"].text(),
          .collective =
              place.has("collective") ? place["collective"].word(parse_collective) : Collective::allreduce};
}

Finding read_finding(const Place& place) {
  return {.kind = place["kind"].text(),
          .severity = place["severity"].word(parse_severity),
          .subject = place["subject"].text(),
          .message = place["message"].text(),
          .evidence = place["evidence"].list(read_text),
          .remedy = place["remedy"].text()};
}

Method read_method(const Place& place) {
  return {.seed = place["seed"].whole<std::uint64_t>(),
          .launches = place["launches"].whole<int>(),
          .launches_wanted = place["launches_wanted"].whole<int>(),
          .rounds_min = place["rounds_min"].whole<int>(),
          .rounds_max = place["rounds_max"].whole<int>(),
          .budget_s = place["budget_s"].number(),
          .elapsed_s = place["elapsed_s"].number(),
          .stop_reason = place["stop_reason"].text(),
          .verification = place["verification"].text()};
}

ToolInfo read_tool(const Place& place) {
  return {.version = place["version"].text(),
          .commit = place["commit"].text(),
          .compiler = place["compiler"].text(),
          .build_type = place["build_type"].text(),
          .cuda_version = place["cuda_version"].text(),
          .sanitizers = place["sanitizers"].text()};
}

ComparedSide read_side(const Place& place) {
  return {.files = place["files"].list(read_text),
          .tool = read_tool(place["tool"]),
          .machine = place["machine"].text(),
          .started = place["started"].text()};
}

ComparisonMethod read_comparison_method(const Place& place) {
  return {.base = read_side(place["base"]),
          .now = read_side(place["new"]),
          .judged = place["judged"].boolean(),
          .alpha = place["alpha"].number(),
          .calibration = place["calibration"].text(),
          .confirmation = place["confirmation"].text()};
}

TraceStep read_step(const Place& place) {
  return {.depth = place["depth"].whole<int>(),
          .worker = place["worker"].text(),
          .ranks = place["ranks"].text(),
          .file = place["file"].text(),
          .line = place["line"].whole<int>(),
          .function = place["function"].text(),
          .guard = place["guard"].text(),
          .decided_by = place["decided_by"].facts(),
          .effect = place["effect"].text(),
          .result = place["result"].word(parse_step_result),
          .mark = place["mark"].word(parse_step_mark),
          .time_s = place["time_s"].optional(read_number),
          .process = place["process"].optional(read_text)};
}

TraceFrame read_frame(const Place& place) {
  return {.file = place["file"].text(),
          .line = place["line"].whole<int>(),
          .function = place["function"].text(),
          .source = place["source"].text()};
}

TraceDeath read_death(const Place& place) {
  return {.error = place["error"].text(),
          .message = place["message"].text(),
          .worker = place["worker"].text(),
          .ranks = place["ranks"].text(),
          .phase = place["phase"].text(),
          .frames = place["frames"].list(read_frame)};
}

Counterfactual read_counterfactual(const Place& place) {
  return {.changes = place["changes"].list(read_text),
          .outcome = place["outcome"].text(),
          .gives_up = place["gives_up"].text(),
          .cost = place["cost"].whole<int>()};
}

InitTrace read_trace(const Place& place) {
  return {.pipeline = place["pipeline"].text(),
          .title = place["title"].text(),
          .outcome = place["outcome"].text(),
          .summary = place["summary"].text(),
          .facts = place["facts"].facts(),
          .steps = place["steps"].list(read_step),
          .death = place["death"].optional(read_death),
          .undecided = place["undecided"].list(read_text),
          .counterfactuals = place["counterfactuals"].list(read_counterfactual)};
}

Document read_document(const Place& place) {
  Document document;
  document.tool = read_tool(place["tool"]);
  document.command = place["command"].text();
  document.argv = place["argv"].list(read_text);
  document.started = place["started"].text();
  document.complete = place["complete"].boolean();
  document.machine = {place["machine"]["name"].text(), place["machine"]["facts"].facts()};
  document.environment = place["environment"].facts();
  if (place.has("request")) document.request = place["request"].optional(read_request);
  if (place.has("inputs")) document.inputs = place["inputs"].list(read_input_text);
  document.method = place["method"].optional(read_method);
  document.links = place["links"].list(read_link);
  static_cast<void>(place["rows"].list(read_row));  // those of an array have been taken out
  document.verdicts = place["verdicts"].list(read_verdict);
  document.findings = place["findings"].list(read_finding);
  if (place.has("trace")) document.trace = place["trace"].optional(read_trace);
  if (place.has("spec")) document.spec = place["spec"].optional(read_spec);
  if (place.has("comparison")) document.comparison = place["comparison"].optional(read_comparison_method);
  return document;
}

std::string_view major(std::string_view version) {
  return version.substr(0, version.find('.'));
}

void check_schema(const Place& place) {
  const std::string name = place["schema"].text();
  if (name != kSchemaName) {
    throw place["schema"].error(fmt::format("expected '{}', found '{}'", kSchemaName, name));
  }
  const std::string version = place["schema_version"].text();
  if (major(version) != major(kSchemaVersion)) {
    throw place["schema_version"].error(
        fmt::format("this ringside reads version {}.x, found '{}'", major(kSchemaVersion), version));
  }
}

}  // namespace

Document document_from_json(const std::string& text, const std::string& origin) {
  // Rows are most of a large result: each is read where it stands. What is wrong in one is said when the text
  // is known to be JSON, and a result that this version reads.
  constexpr std::size_t kBytesOfRow = 1024;  // at least, of one with a time
  std::vector<Row> rows;
  rows.reserve(text.size() / kBytesOfRow);
  prefer_large_pages(rows.data(), rows.capacity() * sizeof(Row));
  std::optional<UsageError> wrong;
  const JsonNode unknown;
  const Place outermost(unknown, origin);
  const Place array = outermost.member(unknown, "rows");
  const JsonTree tree(text, origin, "rows", [&](const JsonNode& row, std::size_t index) {
    if (wrong) return;
    try {
      rows.push_back(read_row(array.element(row, index)));
    } catch (const UsageError& problem) {
      wrong = problem;
    }
  });
  const Place root(tree.root(), origin);
  check_schema(root);
  if (wrong) throw *wrong;
  Document document = read_document(root);
  document.rows = std::move(rows);
  return document;
}

}  // namespace ringside
