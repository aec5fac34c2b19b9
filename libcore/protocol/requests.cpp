#include "protocol/requests.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace ringside {
namespace {

using nlohmann::json;

json case_json(const Case& params) {
  return {{"collective", to_string(params.collective)},
          {"strategy", params.strategy},
          {"family", params.family},
          {"entry", params.entry},
          {"device", to_string(params.device)},
          {"mode", to_string(params.mode)},
          {"bytes", params.bytes.count},
          {"dtype", to_string(params.dtype)},
          {"ranks", params.ranks},
          {"load", params.load}};
}

Case case_from(const json& j) {
  return {.collective = parse_collective(j.at("collective").get<std::string>()),
          .strategy = j.at("strategy"),
          .family = j.at("family"),
          .entry = j.at("entry"),
          .device = parse_device(j.at("device").get<std::string>()),
          .mode = parse_mode(j.at("mode").get<std::string>()),
          .bytes = {j.at("bytes").get<std::uint64_t>()},
          .dtype = parse_dtype(j.at("dtype").get<std::string>()),
          .ranks = j.at("ranks"),
          .load = j.at("load").get<std::vector<double>>()};
}

json finding_json(const Finding& finding) {
  return {{"kind", finding.kind},         {"severity", to_string(finding.severity)},
          {"subject", finding.subject},   {"message", finding.message},
          {"evidence", finding.evidence}, {"remedy", finding.remedy}};
}

Finding finding_from(const json& j) {
  return {.kind = j.at("kind"),
          .severity = parse_severity(j.at("severity").get<std::string>()),
          .subject = j.at("subject"),
          .message = j.at("message"),
          .evidence = j.at("evidence"),
          .remedy = j.at("remedy")};
}

struct Encoder {
  json operator()(const BeginGroup& r) const {
    return {{"do", "begin-group"}, {"bytes", r.message.count},     {"output", r.output.count},
            {"pool", r.pool},      {"cold_inputs", r.cold_inputs}, {"seed", r.seed}};
  }
  json operator()(const Prepare& r) const {
    return {{"do", "prepare"}, {"slot", r.slot}, {"case", case_json(r.params)}};
  }
  json operator()(const Verify& r) const {
    return {{"do", "verify"},
            {"slot", r.slot},
            {"seed", r.plan.seed},
            {"launch", r.plan.launch},
            {"calls_exact", r.plan.calls_exact},
            {"calls_full_range", r.plan.calls_full_range},
            {"replays", r.plan.replays},
            {"plain_producer", r.plan.plain_producer},
            {"brief", r.plan.brief}};
  }
  json operator()(const CheckCalls& r) const {
    return {{"do", "check-calls"},
            {"slot", r.slot},
            {"calls", r.plan.calls},
            {"calls_per_replay", r.plan.calls_per_replay},
            {"calls_before", r.plan.calls_before},
            {"unchecked", r.plan.unchecked},
            {"plain_producer", r.plan.plain_producer}};
  }
  json operator()(const Sample& r) const {
    return {{"do", "sample"},       {"slot", r.slot},     {"calls", r.calls}, {"repetitions", r.repetitions},
            {"warm_up", r.warm_up}, {"counts", r.counts}, {"timed", r.timed}};
  }
  json operator()(const ProfilerRange& r) const { return {{"do", "profiler-range"}, {"open", r.open}}; }
  json operator()(const MeasureSkew& r) const {
    return {{"do", "skew"}, {"slot", r.slot}, {"delay_ns", r.delay.count()}, {"repetitions", r.repetitions}};
  }
  json operator()(const SampleStep& r) const {
    json parts = json::array();
    for (const StepPart& part : r.parts)
      parts.push_back({{"slot", part.slot}, {"compute_ns", part.compute.count()}});
    return {{"do", "step"},
            {"parts", parts},
            {"mode", to_string(r.mode)},
            {"skew_ns", r.skew.count()},
            {"silent", r.silent},
            {"repetitions", r.repetitions}};
  }
  json operator()(const MeasureLimits& r) const { return {{"do", "limits"}, {"bytes", r.message.count}}; }
  json operator()(const EndGroup&) const { return {{"do", "end-group"}}; }
};

}  // namespace

std::string encode(const Request& request) {
  return std::visit(Encoder{}, request).dump();
}

Request decode_request(const std::string& text) {
  const json j = json::parse(text);
  const std::string what = j.at("do");
  if (what == "begin-group") {
    return BeginGroup{{j.at("bytes").get<std::uint64_t>()},
                      {j.at("output").get<std::uint64_t>()},
                      j.at("pool"),
                      j.at("cold_inputs"),
                      j.at("seed")};
  }
  if (what == "prepare") return Prepare{j.at("slot"), case_from(j.at("case"))};
  if (what == "verify") {
    Verify verify;
    j.at("slot").get_to(verify.slot);
    j.at("seed").get_to(verify.plan.seed);
    j.at("launch").get_to(verify.plan.launch);
    j.at("calls_exact").get_to(verify.plan.calls_exact);
    j.at("calls_full_range").get_to(verify.plan.calls_full_range);
    j.at("replays").get_to(verify.plan.replays);
    j.at("plain_producer").get_to(verify.plan.plain_producer);
    j.at("brief").get_to(verify.plan.brief);
    return verify;
  }
  if (what == "check-calls") {
    CheckCalls check;
    j.at("slot").get_to(check.slot);
    j.at("calls").get_to(check.plan.calls);
    j.at("calls_per_replay").get_to(check.plan.calls_per_replay);
    j.at("calls_before").get_to(check.plan.calls_before);
    j.at("unchecked").get_to(check.plan.unchecked);
    j.at("plain_producer").get_to(check.plan.plain_producer);
    return check;
  }
  if (what == "sample") {
    return Sample{j.at("slot"),    j.at("calls"),  j.at("repetitions"),
                  j.at("warm_up"), j.at("counts"), j.at("timed").get<Timed>()};
  }
  if (what == "profiler-range") return ProfilerRange{j.at("open")};
  if (what == "skew") {
    return MeasureSkew{j.at("slot"), std::chrono::nanoseconds(j.at("delay_ns").get<std::int64_t>()),
                       j.at("repetitions")};
  }
  if (what == "step") {
    SampleStep step;
    for (const json& part : j.at("parts"))
      step.parts.push_back(
          {part.at("slot"), std::chrono::nanoseconds(part.at("compute_ns").get<std::int64_t>())});
    step.mode = parse_mode(j.at("mode").get<std::string>());
    step.skew = std::chrono::nanoseconds(j.at("skew_ns").get<std::int64_t>());
    step.silent = j.at("silent");
    step.repetitions = j.at("repetitions");
    return step;
  }
  if (what == "limits") return MeasureLimits{{j.at("bytes").get<std::uint64_t>()}};
  if (what == "end-group") return EndGroup{};
  throw InternalError("unknown request to a rank: " + what);
}

std::string encode(const PrepareReply& reply) {
  json j = {{"first_call_ns", reply.first_call_ns}};
  if (reply.unavailable) j["unavailable"] = *reply.unavailable;
  if (reply.ran) j["ran"] = *reply.ran;
  if (reply.channels) j["channels"] = *reply.channels;
  for (const HeardRange& call : reply.nccl_calls)
    j["nccl_calls"].push_back({{"name", call.name}, {"count", call.count}, {"time_ns", call.time_ns}});
  if (reply.chosen_by) j["chosen_by"] = *reply.chosen_by;
  if (reply.choice_problem) j["choice_problem"] = finding_json(*reply.choice_problem);
  return j.dump();
}

std::string encode(const SampleReply& reply) {
  json j = {{"times_ns", reply.times_ns}};
  if (reply.wrong) j["wrong"] = *reply.wrong;
  if (const auto& conditions = reply.conditions) {
    j["wall_ns"] = conditions->wall_ns;
    if (conditions->cpu_ns) j["cpu_ns"] = *conditions->cpu_ns;
    if (conditions->waited_ns) j["waited_ns"] = *conditions->waited_ns;
    if (conditions->spin_ns) j["spin_ns"] = *conditions->spin_ns;
  }
  return j.dump();
}

std::string encode(const VerifyReply& reply) {
  json j = {{"calls", reply.calls}, {"elements", reply.elements}, {"hashes", reply.hashes}};
  // Only the text travels: the coordinator shows it, it does not compute with it.
  if (reply.mismatch) j["mismatch"] = reply.mismatch->text;
  return j.dump();
}

std::string encode(const CallReply& reply) {
  json j = {{"calls", reply.calls}};
  if (reply.wrong) j["wrong"] = *reply.wrong;
  return j.dump();
}

std::string encode(const LinkLimits& reply) {
  json j = {{"scatter", reply.scatter}, {"missing", reply.missing}};
  if (reply.one_way_latency_ns) j["one_way_latency_ns"] = *reply.one_way_latency_ns;
  if (reply.node_gap_ns) j["node_gap_ns"] = *reply.node_gap_ns;
  if (reply.bandwidth_gbps) j["bandwidth_gbps"] = *reply.bandwidth_gbps;
  return j.dump();
}

void decode(const std::string& text, PrepareReply& reply) {
  const json j = json::parse(text);
  j.at("first_call_ns").get_to(reply.first_call_ns);
  if (j.contains("unavailable")) reply.unavailable = j.at("unavailable").get<std::string>();
  if (j.contains("ran")) reply.ran = j.at("ran").get<std::string>();
  if (j.contains("channels")) reply.channels = j.at("channels").get<int>();
  if (j.contains("chosen_by")) reply.chosen_by = j.at("chosen_by").get<std::string>();
  if (j.contains("choice_problem")) reply.choice_problem = finding_from(j.at("choice_problem"));
  if (!j.contains("nccl_calls")) return;
  for (const json& call : j.at("nccl_calls"))
    reply.nccl_calls.push_back({call.at("name"), call.at("count"), call.at("time_ns")});
}

void decode(const std::string& text, SampleReply& reply) {
  const json j = json::parse(text);
  j.at("times_ns").get_to(reply.times_ns);
  if (j.contains("wrong")) reply.wrong = j.at("wrong").get<std::string>();
  if (!j.contains("wall_ns")) return;
  const auto optional = [&](const char* name) {
    return j.contains(name) ? std::optional(j.at(name).get<double>()) : std::nullopt;
  };
  reply.conditions = {j.at("wall_ns"), optional("cpu_ns"), optional("waited_ns"), optional("spin_ns")};
}

void decode(const std::string& text, CallReply& reply) {
  const json j = json::parse(text);
  j.at("calls").get_to(reply.calls);
  if (j.contains("wrong")) reply.wrong = j.at("wrong").get<std::string>();
}

void decode(const std::string& text, VerifyReply& reply) {
  const json j = json::parse(text);
  j.at("calls").get_to(reply.calls);
  j.at("elements").get_to(reply.elements);
  j.at("hashes").get_to(reply.hashes);
  if (j.contains("mismatch")) {
    reply.mismatch.emplace();
    j.at("mismatch").get_to(reply.mismatch->text);
  }
}

void decode(const std::string& text, LinkLimits& reply) {
  const json j = json::parse(text);
  j.at("scatter").get_to(reply.scatter);
  j.at("missing").get_to(reply.missing);
  const auto part = [&j](const char* name) {
    return j.contains(name) ? std::optional(j.at(name).get<double>()) : std::nullopt;
  };
  reply.one_way_latency_ns = part("one_way_latency_ns");
  reply.node_gap_ns = part("node_gap_ns");
  reply.bandwidth_gbps = part("bandwidth_gbps");
}

}  // namespace ringside
