#include "spec/replayed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"

namespace ringside {
namespace {

constexpr double kFar = 0.1;

// The replay of this step; one with compute between its calls before one without.
const SpecReplay* find_replay(const std::vector<SpecReplay>& replays, const Communication& candidate,
                              const char* step) {
  const SpecReplay* best = nullptr;
  for (const SpecReplay& replay : replays) {
    const bool same =
        replay.step == step && replay.candidate == candidate.strategy && replay.mode == candidate.mode;
    if (same && (best == nullptr || (replay.exposed_ns && !best->exposed_ns))) best = &replay;
  }
  return best;
}

std::optional<double> ratio(const SpecReplay* replay, double calls_ns) {
  if (replay == nullptr || calls_ns <= 0) return std::nullopt;
  return std::max(replay->exposed_ns.value_or(replay->time.median_ns), 0.0) / calls_ns;
}

// Verify passes that were far from their calls.
class Differences {
 public:
  void add(const Communication& candidate, const SpecReplay& replay, double times, double calls_ns) {
    if (std::abs(times - 1) <= kFar) return;
    least_ = evidence_.empty() ? times : std::min(least_, times);
    most_ = std::max(most_, times);
    evidence_.push_back(fmt::format("{} {}: {} {}, its {} calls by themselves {} ({:.2f}x)",
                                    candidate.strategy, to_string(candidate.mode),
                                    format_time_ns(times * calls_ns),
                                    replay.exposed_ns ? "exposed in a verify pass" : "a verify pass",
                                    replay.calls, format_time_ns(calls_ns), times));
  }

  void tell(const std::string& scenario, Document& document) {
    if (evidence_.empty()) return;
    const std::string times =
        evidence_.size() == 1 ? fmt::format("{:.2f}", most_) : fmt::format("{:.2f} to {:.2f}", least_, most_);
    add_finding(document,
                {.kind = finding_kind("replay-differs"),
                 .severity = Severity::warning,
                 .subject = scenario,
                 .message = fmt::format("replayed verify passes took {} times as long as their calls by "
                                        "themselves; the answers are of the replayed steps",
                                        times),
                 .evidence = std::move(evidence_),
                 .remedy = ""});
  }

 private:
  double least_ = 0;
  double most_ = 0;
  std::vector<std::string> evidence_;
};

}  // namespace

void use_replays(const SpecScenario& scenario, std::vector<Communication>& candidates, Document& document) {
  if (!document.spec) return;
  const std::vector<SpecReplay>& replays = document.spec->replays;
  const SpeculationShape& shape = scenario.speculation;
  Differences differences;
  for (Communication& candidate : candidates) {
    const Communication calls = candidate;
    const auto take = [&](const char* step, std::int64_t tokens) {
      const SpecReplay* replay = find_replay(replays, candidate, step);
      const double calls_ns = forward_ns(scenario, calls, tokens);
      const auto times = ratio(replay, calls_ns);
      if (!times) return;
      candidate.replayed[tokens] = *times;
      if (tokens == shape.verify_tokens()) differences.add(candidate, *replay, *times, calls_ns);
    };
    take("plain", shape.batch);
    take("verify", shape.verify_tokens());
    candidate.draft_replayed =
        ratio(find_replay(replays, candidate, "draft"), draft_step_ns(scenario, calls));
  }
  differences.tell(scenario.name, document);
}

}  // namespace ringside
