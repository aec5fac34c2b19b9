#include <cmath>
#include <nlohmann/json.hpp>

#include "model/document.hpp"
#include "model/request_json.hpp"
#include "model/spec_json.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

Json write(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}
Json write(const std::string& text) {
  return text;
}
Json write(const Interval& interval);
Json write(const Statistics& time);
Json write(const HeardRange& call);
Json write(const LaunchSamples& launch);
Json write(const Verification& verification);
Json write(const Method& method);
Json write(const ClockRecord& clocks);
Json write(const SkewRecord& skew);
Json write(const LinkMeasurement& link);
Json write(const ComparisonStage& stage);
Json write(const Comparison& comparison);
Json write(const ComparisonMethod& comparison);
Json write(const Row& row);
Json write(const GroupVerdict& verdict);
Json write(const Finding& finding);
Json write(const InitTrace& trace);
Json write(const TraceStep& step);
Json write(const TraceFrame& frame);
Json write(const TraceDeath& death);
Json write(const Counterfactual& counterfactual);

template <typename T>
Json write(const std::optional<T>& value) {
  return value ? write(*value) : Json();
}

template <typename T>
Json write(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(write(value));
  return array;
}

// An object whose keys are data.
Json write(const std::vector<std::pair<std::string, std::string>>& facts) {
  Json object = Json::object();
  for (const auto& [key, value] : facts) object[key] = value;
  return object;
}

Json write(const Interval& interval) {
  return {{"low", write(interval.low)}, {"high", write(interval.high)}};
}

Json write(const Statistics& time) {
  return {{"samples", time.samples},
          {"median_ns", write(time.median_ns)},
          {"interval95_ns", write(time.interval95_ns)},
          {"min_ns", write(time.min_ns)},
          {"p90_ns", write(time.p90_ns)},
          {"p99_ns", write(time.p99_ns)}};
}

Json write(const HeardRange& call) {
  return {{"name", call.name}, {"count", call.count}, {"time_ns", write(call.time_ns)}};
}

Json write(const LaunchSamples& launch) {
  return {{"launch", launch.launch},
          {"calls_per_sample", launch.calls_per_sample},
          {"samples_per_round", launch.samples_per_round},
          {"samples_ns", write(launch.samples_ns)},
          {"first_call_ns", write(launch.first_call_ns)},
          {"nccl_calls", write(launch.nccl_calls)},
          {"floor_ns", write(launch.floor_ns)}};
}

Json write(const Verification& verification) {
  return {{"calls", verification.calls},
          {"elements", verification.elements},
          {"bitwise_across_ranks", verification.bitwise_across_ranks}};
}

Json write(const Case& params) {
  Json load = Json::array();
  for (const double share : params.load) load.push_back(share);
  return {{"load", load},
          {"strategy", params.strategy},
          {"family", params.family},
          {"device", to_string(params.device)},
          {"mode", to_string(params.mode)},
          {"collective", to_string(params.collective)},
          {"bytes", params.bytes.count},
          {"dtype", to_string(params.dtype)},
          {"ranks", params.ranks},
          {"entry", params.entry}};
}

Json write(const ClockRecord& clocks) {
  return {{"sm_mhz_min", clocks.sm_mhz_min},
          {"sm_mhz_max", clocks.sm_mhz_max},
          {"held_by", write(clocks.held_by)}};
}

Json write(const SkewRecord& skew) {
  return {{"delay_ns", write(skew.delay_ns)},
          {"others_ns", write(skew.others_ns)},
          {"after_arrival_ns", write(skew.after_arrival_ns)}};
}

Json write(const LinkMeasurement& link) {
  return {{"bytes", link.bytes.count},
          {"one_way_latency_ns", write(link.one_way_latency_ns)},
          {"node_gap_ns", write(link.node_gap_ns)},
          {"bandwidth_gbps", write(link.bandwidth_gbps)}};
}

Json write(const ComparisonStage& stage) {
  return {{"base_ns", write(stage.base_ns)},   {"new_ns", write(stage.new_ns)},
          {"ratio", write(stage.ratio)},       {"ratio_interval90", write(stage.ratio_interval90)},
          {"p_slower", write(stage.p_slower)}, {"p_faster", write(stage.p_faster)}};
}

Json write(const Comparison& comparison) {
  return {{"threshold", write(comparison.threshold)},
          {"threshold_origin", to_string(comparison.threshold_origin)},
          {"reason", comparison.reason},
          {"stages", write(comparison.stages)}};
}

Json write(const Row& row) {
  return {{"params", write(row.params)},
          {"status", to_string(row.status)},
          {"origin", to_string(row.origin)},
          {"time", write(row.time)},
          {"algbw_gbps", write(row.algbw_gbps)},
          {"busbw_gbps", write(row.busbw_gbps)},
          {"floor_ns", write(row.floor_ns)},
          {"of_floor", write(row.of_floor)},
          {"verification", write(row.verification)},
          {"asked", write(row.asked)},
          {"ran", write(row.ran)},
          {"chosen_by", write(row.chosen_by)},
          {"clocks", write(row.clocks)},
          {"skew", write(row.skew)},
          {"comparison", write(row.comparison)},
          {"findings", write(row.findings)},
          {"launches", write(row.launches)}};
}

Json write(const GroupVerdict& verdict) {
  return {{"bytes", verdict.bytes.count},
          {"dtype", to_string(verdict.dtype)},
          {"mode", to_string(verdict.mode)},
          {"winner", write(verdict.winner)},
          {"tied", write(verdict.tied)},
          {"ratio", write(verdict.ratio)},
          {"ratio_interval", write(verdict.ratio_interval)},
          {"reason", verdict.reason},
          {"collective", to_string(verdict.collective)}};
}

Json write(const Finding& finding) {
  return {
      {"id", finding.id()},         {"kind", finding.kind},       {"severity", to_string(finding.severity)},
      {"subject", finding.subject}, {"message", finding.message}, {"evidence", write(finding.evidence)},
      {"remedy", finding.remedy}};
}

Json write(const Method& method) {
  return {{"seed", method.seed},
          {"launches", method.launches},
          {"launches_wanted", method.launches_wanted},
          {"rounds_min", method.rounds_min},
          {"rounds_max", method.rounds_max},
          {"budget_s", write(method.budget_s)},
          {"elapsed_s", write(method.elapsed_s)},
          {"stop_reason", method.stop_reason},
          {"verification", method.verification}};
}

Json write(const ToolInfo& tool) {
  return {{"version", tool.version},           {"commit", tool.commit},
          {"compiler", tool.compiler},         {"build_type", tool.build_type},
          {"cuda_version", tool.cuda_version}, {"sanitizers", tool.sanitizers}};
}

Json write(const ComparedSide& side) {
  return {{"files", write(side.files)},
          {"tool", write(side.tool)},
          {"machine", side.machine},
          {"started", side.started}};
}

Json write(const ComparisonMethod& comparison) {
  return {{"base", write(comparison.base)},        {"new", write(comparison.now)},
          {"judged", comparison.judged},           {"alpha", write(comparison.alpha)},
          {"calibration", comparison.calibration}, {"confirmation", comparison.confirmation}};
}

Json write(const TraceStep& step) {
  return {{"depth", step.depth},
          {"worker", step.worker},
          {"ranks", step.ranks},
          {"file", step.file},
          {"line", step.line},
          {"function", step.function},
          {"guard", step.guard},
          {"decided_by", write(step.decided_by)},
          {"effect", step.effect},
          {"result", to_string(step.result)},
          {"mark", to_string(step.mark)},
          {"time_s", write(step.time_s)},
          {"process", write(step.process)}};
}

Json write(const TraceFrame& frame) {
  return {{"file", frame.file}, {"line", frame.line}, {"function", frame.function}, {"source", frame.source}};
}

Json write(const TraceDeath& death) {
  return {{"error", death.error}, {"message", death.message}, {"worker", death.worker},
          {"ranks", death.ranks}, {"phase", death.phase},     {"frames", write(death.frames)}};
}

Json write(const Counterfactual& counterfactual) {
  return {{"changes", write(counterfactual.changes)},
          {"outcome", counterfactual.outcome},
          {"gives_up", counterfactual.gives_up},
          {"cost", counterfactual.cost}};
}

Json write(const InitTrace& trace) {
  return {{"pipeline", trace.pipeline},
          {"title", trace.title},
          {"outcome", trace.outcome},
          {"summary", trace.summary},
          {"facts", write(trace.facts)},
          {"steps", write(trace.steps)},
          {"death", write(trace.death)},
          {"undecided", write(trace.undecided)},
          {"counterfactuals", write(trace.counterfactuals)}};
}

Json write(const Document& document) {
  return {{"schema", kSchemaName},
          {"schema_version", kSchemaVersion},
          {"tool", write(document.tool)},
          {"command", document.command},
          {"argv", write(document.argv)},
          {"started", document.started},
          {"complete", document.complete},
          {"machine", {{"name", document.machine.name}, {"facts", write(document.machine.facts)}}},
          {"environment", write(document.environment)},
          {"request", document.request ? Json::parse(request_json(*document.request)) : Json()},
          {"inputs", Json::parse(inputs_json(document.inputs))},
          {"method", write(document.method)},
          {"comparison", write(document.comparison)},
          {"links", write(document.links)},
          {"verdicts", write(document.verdicts)},
          {"findings", write(document.findings)},
          {"rows", write(document.rows)},
          {"trace", write(document.trace)}};
}

}  // namespace

std::string to_json(const Document& document, bool pretty) {
  Json json = write(document);
  json["spec"] = document.spec ? Json::parse(spec_json(*document.spec)) : Json();
  return json.dump(pretty ? 2 : -1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ringside
