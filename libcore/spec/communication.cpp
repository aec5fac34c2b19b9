#include "spec/communication.hpp"

#include <algorithm>
#include <iterator>

namespace ringside {
namespace {

// 128 numbers of an fp8 message share an fp32 scale.
constexpr double kFp8Bytes = 1 + 4.0 / 128;

Bytes routed_bytes(const SpecScenario& scenario, std::int64_t tokens, double bytes_per_number) {
  const std::int64_t ranks = scenario.parallel.ep;
  const std::int64_t mine = std::max<std::int64_t>((tokens + ranks - 1) / ranks, 1);
  const double numbers =
      static_cast<double>(mine) * std::max(scenario.model.top_k, 1) * scenario.model.hidden;
  // Whole elements of the widest type for every rank, as the all-to-all cuts the message into as many parts.
  const auto unit = static_cast<std::uint64_t>(4 * ranks);
  const auto bytes = static_cast<std::uint64_t>(numbers * bytes_per_number);
  return {(bytes + unit - 1) / unit * unit};
}

}  // namespace

bool CallTimes::covers(Bytes bytes) const {
  if (calculated_) return true;
  return !measured_.empty() && measured_.begin()->first <= bytes.count &&
         bytes.count <= measured_.rbegin()->first;
}

double CallTimes::at(Bytes bytes) const {
  if (calculated_) return calculated_(bytes);
  if (measured_.empty()) return 0;
  const auto above = measured_.lower_bound(bytes.count);
  if (above != measured_.end() && (above->first == bytes.count || above == measured_.begin()))
    return above->second;
  if (measured_.size() == 1) return measured_.begin()->second;
  const auto high = above == measured_.end() ? std::prev(above) : above;
  const auto low = std::prev(high);
  const double along = (static_cast<double>(bytes.count) - static_cast<double>(low->first)) /
                       (static_cast<double>(high->first) - static_cast<double>(low->first));
  return std::max(low->second + along * (high->second - low->second), std::min(low->second, high->second));
}

double Communication::stretch(std::int64_t tokens) const {
  if (replayed.empty()) return 1;
  const auto found = replayed.find(tokens);
  return found == replayed.end() ? replayed.rbegin()->second : found->second;
}

Bytes dispatch_bytes(const SpecScenario& scenario, std::int64_t tokens) {
  const auto wide = static_cast<double>(element_size(scenario.model.dtype));
  return routed_bytes(scenario, tokens, scenario.traffic.fp8_dispatch ? kFp8Bytes : wide);
}

Bytes combine_bytes(const SpecScenario& scenario, std::int64_t tokens) {
  return routed_bytes(scenario, tokens, static_cast<double>(element_size(scenario.model.dtype)));
}

int allreduce_calls(const SpecScenario& scenario, const Communication& communication) {
  const ModelShape& model = scenario.model;
  if (scenario.parallel.tp == 1) return 0;
  int calls = model.allreduces;
  if (!communication.alltoall.empty()) calls -= model.moe_layers;
  if (scenario.parallel.dp_attention) calls -= model.layers;
  return std::max(calls, 0);
}

double forward_ns(const SpecScenario& scenario, const Communication& communication, std::int64_t tokens) {
  const double allreduces = allreduce_calls(scenario, communication);
  double time =
      allreduces > 0 ? allreduces * communication.allreduce.at(message_bytes(scenario.model, tokens)) : 0;
  if (!communication.alltoall.empty()) {
    time += scenario.model.moe_layers * (communication.alltoall.at(dispatch_bytes(scenario, tokens)) +
                                         communication.alltoall.at(combine_bytes(scenario, tokens)));
  }
  return time * communication.stretch(tokens);
}

double draft_step_ns(const SpecScenario& scenario, const Communication& communication) {
  const SpeculationShape& shape = scenario.speculation;
  if (scenario.parallel.tp == 1) return 0;
  const std::int64_t tokens = std::int64_t{shape.batch} * shape.top_k;
  return shape.draft_allreduces * communication.allreduce.at(message_bytes(scenario.model, tokens)) *
         communication.draft_replayed.value_or(communication.stretch(tokens));
}

}  // namespace ringside
