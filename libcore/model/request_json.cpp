#include "model/request_json.hpp"

#include <nlohmann/json.hpp>

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

template <typename Values, typename Text>
Json list(const Values& values, Text text) {
  Json array = Json::array();
  for (const auto& value : values) array.push_back(text(value));
  return array;
}

Json write(const CaseSet& set) {
  const auto word = [](auto value) { return to_string(value); };
  Json json;
  json["collective"] = to_string(set.collective);
  json["strategies"] = set.strategies;
  json["bytes"] = list(set.sizes, [](Bytes size) { return size.count; });
  json["dtypes"] = list(set.dtypes, word);
  json["modes"] = list(set.modes, word);
  json["load"] = set.load;
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string read_text(const JsonPlace& place) {
  return place.text();
}
double read_number(const JsonPlace& place) {
  return place.number();
}
Bytes read_bytes(const JsonPlace& place) {
  return {place.whole<std::uint64_t>()};
}
std::chrono::nanoseconds read_time(const JsonPlace& place) {
  return std::chrono::nanoseconds(place.whole<std::int64_t>());
}

CaseSet read_case_set(const JsonPlace& place) {
  return {.collective = place["collective"].word(parse_collective),
          .strategies = place["strategies"].list(read_text),
          .sizes = place["bytes"].list(read_bytes),
          .dtypes = place["dtypes"].list([](const JsonPlace& word) { return word.word(parse_dtype); }),
          .modes = place["modes"].list([](const JsonPlace& word) { return word.word(parse_mode); }),
          .load = place["load"].list(read_number)};
}

std::map<std::string, double> read_slowdowns(const JsonPlace& place) {
  std::map<std::string, double> slowdowns;
  place.list([&](const JsonPlace& one) {
    slowdowns.emplace(one["strategy"].text(), one["factor"].number());
    return 0;
  });
  return slowdowns;
}

}  // namespace

std::string request_json(const SweepRequest& request) {
  Json json;
  json["device"] = to_string(request.device);
  json["described"] = to_string(request.described);
  json["ranks"] = request.ranks;
  json["cases"] = list(request.cases, [](const CaseSet& set) { return write(set); });
  json["launches"] = request.launches;
  json["min_rounds"] = request.min_rounds;
  json["max_rounds"] = request.max_rounds;
  json["budget_ns"] = request.budget.count();
  json["firm_budget"] = request.firm_budget;
  json["turn_timeout_ns"] = request.turn_timeout.count();
  json["seed"] = request.seed;
  json["calls_per_sample"] = request.calls_per_sample;
  json["gpus"] = request.gpus;
  json["nccl_library"] = request.nccl_library;
  json["skew_ns"] = request.skew.count();
  json["profile"] = request.profile;
  json["cold_input"] = request.cold_input;
  json["slowdowns"] = list(request.slowdowns, [](const auto& slowdown) {
    return Json{{"strategy", slowdown.first}, {"factor", slowdown.second}};
  });
  json["cache_bytes"] = request.cache.count;
  return dump(json);
}

std::string inputs_json(const std::vector<InputText>& inputs) {
  return dump(list(inputs, [](const InputText& input) {
    Json json;
    json["role"] = input.role;
    json["origin"] = input.origin;
    json["bytes"] = input.bytes.count;
    json["digest"] = input.digest;
    json["text"] = input.text ? Json(*input.text) : Json();
    return json;
  }));
}

SweepRequest read_request(const JsonPlace& place) {
  SweepRequest request{.device = place["device"].word(parse_device),
                       .described = place["described"].word(parse_device),
                       .ranks = place["ranks"].whole<int>(),
                       .cases = place["cases"].list(read_case_set),
                       .launches = place["launches"].whole<int>(),
                       .min_rounds = place["min_rounds"].whole<int>(),
                       .max_rounds = place["max_rounds"].whole<int>(),
                       .budget = read_time(place["budget_ns"]),
                       .firm_budget = place["firm_budget"].boolean(),
                       .turn_timeout = read_time(place["turn_timeout_ns"]),
                       .seed = place["seed"].whole<std::uint64_t>(),
                       .calls_per_sample = place["calls_per_sample"].whole<int>(),
                       .gpus = place["gpus"].list(read_text),
                       .nccl_library = place["nccl_library"].text(),
                       .skew = read_time(place["skew_ns"]),
                       .profile = place["profile"].boolean(),
                       .cold_input = place["cold_input"].boolean(),
                       .slowdowns = read_slowdowns(place["slowdowns"]),
                       .cache = read_bytes(place["cache_bytes"])};
  if (request.cases.empty()) throw place["cases"].error("expected one set of cases at least");
  return request;
}

InputText read_input_text(const JsonPlace& place) {
  return {.role = place["role"].text(),
          .origin = place["origin"].text(),
          .bytes = read_bytes(place["bytes"]),
          .digest = place["digest"].text(),
          .text = place["text"].optional(read_text)};
}

}  // namespace ringside
