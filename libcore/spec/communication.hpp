#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "spec/scenario.hpp"
#include "spec/weights.hpp"

namespace ringside {

// How long a collective takes by message size: calculated, or measured at some sizes and between them in
// proportion.
class CallTimes {
 public:
  CallTimes() = default;
  explicit CallTimes(std::function<double(Bytes)> calculated) : calculated_(std::move(calculated)) {}
  // Below the smallest size its time holds; above the largest the time grows as between the last two.
  explicit CallTimes(std::map<std::uint64_t, double> measured) : measured_(std::move(measured)) {}

  double at(Bytes bytes) const;
  bool empty() const { return !calculated_ && measured_.empty(); }
  // Whether it was calculated, or measured at this size or on both sides of it.
  bool covers(Bytes bytes) const;

 private:
  std::function<double(Bytes)> calculated_;
  std::map<std::uint64_t, double> measured_;
};

// What the ranks of one candidate say to each other.
struct Communication {
  std::string strategy;
  Layout layout = Layout::tp;
  Mode mode = Mode::graph;
  Origin origin = Origin::modelled;
  CallTimes allreduce;
  CallTimes alltoall;  // layout ep; empty: its experts' results are summed by an allreduce
  // Where whole steps were replayed, how many times as long they took as their calls by themselves: by tokens
  // of the pass, and of a draft step.
  std::map<std::int64_t, double> replayed;
  std::optional<double> draft_replayed;

  // The same for a pass over any number of tokens: what was not replayed goes like the largest that was.
  double stretch(std::int64_t tokens) const;
};

// Bytes that each rank gives into the dispatch of a layer with experts, and into the combine: each token once
// for each of its experts; tokens are spread over the ranks, so the fullest counts.
Bytes dispatch_bytes(const SpecScenario& scenario, std::int64_t tokens);
Bytes combine_bytes(const SpecScenario& scenario, std::int64_t tokens);

// Allreduces of a forward pass. One rank has none. Layers with experts have one less with an all-to-all. DP
// attention has none behind the attention; before and behind the rest of a layer it gathers and scatters,
// which moves as much as one allreduce.
int allreduce_calls(const SpecScenario& scenario, const Communication& communication);

// All collectives of a forward pass of the model over so many tokens, in ns.
double forward_ns(const SpecScenario& scenario, const Communication& communication, std::int64_t tokens);

// All collectives of one draft step: each sequence has top-k candidates.
double draft_step_ns(const SpecScenario& scenario, const Communication& communication);

}  // namespace ringside
