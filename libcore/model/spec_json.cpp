#include "model/spec_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

Json write(const std::optional<Interval>& range) {
  return range ? Json{{"low", number(range->low)}, {"high", number(range->high)}} : Json();
}

Json write(const SpecInput& input) {
  return {{"key", input.key},
          {"value", number(input.value)},
          {"unit", input.unit},
          {"range", write(input.range)},
          {"origin", to_string(input.origin)},
          {"source", input.source}};
}

Json write(const SpecCandidate& candidate) {
  return {{"strategy", candidate.strategy},
          {"layout", candidate.layout},
          {"mode", to_string(candidate.mode)},
          {"origin", to_string(candidate.origin)},
          {"call_ns", number(candidate.call_ns)},
          {"plain_call_ns", number(candidate.plain_call_ns)},
          {"communication_ns", number(candidate.communication_ns)},
          {"verify_ns", number(candidate.verify_ns)},
          {"step_ns", number(candidate.step_ns)},
          {"share", number(candidate.share())},
          {"plain_step_ns", number(candidate.plain_step_ns)},
          {"tokens_s", number(candidate.tokens_s)},
          {"plain_tokens_s", number(candidate.plain_tokens_s)},
          {"against_plain", number(candidate.against_plain())},
          {"break_even_length", number(candidate.break_even_length)},
          {"break_even_call_ns", number(candidate.break_even_call_ns)},
          {"best_draft_tokens", candidate.best_draft_tokens},
          {"best_tokens_s", number(candidate.best_tokens_s)},
          {"tokens_s_per_us", number(candidate.tokens_s_per_us)}};
}

Json write(const SpecReplay& replay) {
  return {{"step", replay.step},
          {"candidate", replay.candidate},
          {"mode", to_string(replay.mode)},
          {"calls", replay.calls},
          {"compute_ns", number(replay.compute_ns)},
          {"skew_ns", number(replay.skew_ns)},
          {"samples", replay.time.samples},
          {"median_ns", number(replay.time.median_ns)},
          {"interval95_ns", write(replay.time.interval95_ns)},
          {"alone_ns", number(replay.alone_ns)},
          {"exposed_ns", number(replay.exposed_ns)}};
}

Json write(const SpecMemory& memory) {
  return {{"layout", memory.layout},
          {"weights_bytes", number(memory.weights_bytes)},
          {"free_bytes", number(memory.free_bytes)},
          {"kv_pool_bytes", number(memory.kv_pool_bytes)},
          {"kv_tokens", number(memory.kv_tokens)},
          {"least_fraction", number(memory.least_fraction)},
          {"origin", to_string(memory.origin)}};
}

Json write(const SpecExplanation& explanation) {
  return {{"quantity", explanation.quantity},   {"unit", explanation.unit},
          {"value", number(explanation.value)}, {"range", write(explanation.range)},
          {"possible", explanation.possible},   {"note", explanation.note}};
}

Json write(const SpecCurve& curve) {
  Json points = Json::array();
  for (const auto& [x, y] : curve.points) points.push_back({number(x), number(y)});
  return {{"candidate", curve.candidate},
          {"mode", curve.mode},
          {"x", curve.x},
          {"y", curve.y},
          {"points", points}};
}

template <typename T>
Json write(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(write(value));
  return array;
}

double read_number(const JsonPlace& place) {
  return place.number();
}

Interval read_range(const JsonPlace& place) {
  return {place["low"].number(), place["high"].number()};
}

SpecInput read_input(const JsonPlace& place) {
  return {place["key"].text(),
          place["value"].number(),
          place["unit"].text(),
          place["range"].optional(read_range),
          place["origin"].word(parse_origin),
          place["source"].text()};
}

SpecCandidate read_candidate(const JsonPlace& place) {
  SpecCandidate candidate;
  candidate.strategy = place["strategy"].text();
  candidate.layout = place["layout"].text();
  candidate.mode = place["mode"].word(parse_mode);
  candidate.origin = place["origin"].word(parse_origin);
  candidate.call_ns = place["call_ns"].number();
  candidate.plain_call_ns = place["plain_call_ns"].number();
  candidate.communication_ns = place["communication_ns"].number();
  candidate.verify_ns = place["verify_ns"].number();
  candidate.step_ns = place["step_ns"].number();
  candidate.plain_step_ns = place["plain_step_ns"].number();
  candidate.tokens_s = place["tokens_s"].number();
  candidate.plain_tokens_s = place["plain_tokens_s"].number();
  candidate.break_even_length = place["break_even_length"].number();
  candidate.break_even_call_ns = place["break_even_call_ns"].optional(read_number);
  candidate.best_draft_tokens = place["best_draft_tokens"].whole<int>();
  candidate.best_tokens_s = place["best_tokens_s"].number();
  candidate.tokens_s_per_us = place["tokens_s_per_us"].number();
  return candidate;
}

SpecReplay read_replay(const JsonPlace& place) {
  SpecReplay replay;
  replay.step = place["step"].text();
  replay.candidate = place["candidate"].text();
  replay.mode = place["mode"].word(parse_mode);
  replay.calls = place["calls"].whole<int>();
  replay.compute_ns = place["compute_ns"].number();
  replay.skew_ns = place["skew_ns"].number();
  replay.time.samples = place["samples"].whole<std::size_t>();
  replay.time.median_ns = place["median_ns"].number();
  replay.time.interval95_ns = place["interval95_ns"].optional(read_range);
  replay.alone_ns = place["alone_ns"].optional(read_number);
  replay.exposed_ns = place["exposed_ns"].optional(read_number);
  return replay;
}

SpecMemory read_memory(const JsonPlace& place) {
  return {place["layout"].text(),
          place["weights_bytes"].number(),
          place["free_bytes"].number(),
          place["kv_pool_bytes"].number(),
          place["kv_tokens"].optional(read_number),
          place["least_fraction"].number(),
          place["origin"].word(parse_origin)};
}

SpecExplanation read_explanation(const JsonPlace& place) {
  return {place["quantity"].text(),    place["unit"].text(),
          place["value"].number(),     place["range"].optional(read_range),
          place["possible"].boolean(), place["note"].text()};
}

SpecCurve read_curve(const JsonPlace& place) {
  const auto point = [](const JsonPlace& pair) {
    const std::vector<double> values = pair.list(read_number);
    if (values.size() != 2) throw pair.error("expected a pair of numbers");
    return std::pair(values[0], values[1]);
  };
  return {place["candidate"].text(), place["mode"].text(), place["x"].text(), place["y"].text(),
          place["points"].list(point)};
}

}  // namespace

std::string spec_json(const SpecResult& result) {
  const Json json = {{"scenario", result.scenario},
                     {"title", result.title},
                     {"model", result.model},
                     {"machine", result.machine},
                     {"allreduces", result.allreduces},
                     {"verify_message_bytes", result.verify_message.count},
                     {"plain_message_bytes", result.plain_message.count},
                     {"recommendation", result.recommendation},
                     {"confidence", result.confidence},
                     {"decides", result.decides},
                     {"inputs", write(result.inputs)},
                     {"candidates", write(result.candidates)},
                     {"replays", write(result.replays)},
                     {"memory", write(result.memory)},
                     {"explanations", write(result.explanations)},
                     {"curves", write(result.curves)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SpecResult read_spec(const JsonPlace& place) {
  const auto text = [](const JsonPlace& word) { return word.text(); };
  SpecResult result;
  result.scenario = place["scenario"].text();
  result.title = place["title"].text();
  result.model = place["model"].text();
  result.machine = place["machine"].text();
  result.allreduces = place["allreduces"].whole<int>();
  result.verify_message = {place["verify_message_bytes"].whole<std::uint64_t>()};
  result.plain_message = {place["plain_message_bytes"].whole<std::uint64_t>()};
  result.recommendation = place["recommendation"].text();
  result.confidence = place["confidence"].text();
  result.decides = place["decides"].list(text);
  result.inputs = place["inputs"].list(read_input);
  result.candidates = place["candidates"].list(read_candidate);
  result.replays = place["replays"].list(read_replay);
  result.memory = place["memory"].list(read_memory);
  result.explanations = place["explanations"].list(read_explanation);
  result.curves = place["curves"].list(read_curve);
  return result;
}

}  // namespace ringside
