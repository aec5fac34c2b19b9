#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "launch/rank_group.hpp"
#include "protocol/requests.hpp"
#include "strategy/strategy.hpp"
#include "sweep/plan.hpp"
#include "sweep/sweep.hpp"

namespace ringside {

// Time that passes only when a test says so.
class FakeClock final : public Clock {
 public:
  TimePoint now() const override { return now_; }
  void advance(std::chrono::nanoseconds time) { now_ += time; }

 private:
  TimePoint now_{};
};

// A strategy that exists by name only: scripted ranks never run it.
class NamedStrategy final : public Strategy {
 public:
  explicit NamedStrategy(std::string name, std::optional<std::string> asks = std::nullopt,
                         std::vector<std::pair<std::string, std::string>> environment = {})
      : name_(std::move(name)), asks_(std::move(asks)), environment_(std::move(environment)) {}
  std::string_view name() const override { return name_; }
  std::string_view family() const override { return name_; }
  std::string_view summary() const override { return "scripted"; }
  DeviceKind device() const override { return DeviceKind::host; }
  Numerics numerics() const override {
    return {.rank_order = true, .single_rounding = true, .bitwise_across_ranks = true};
  }
  std::optional<std::string> asks() const override { return asks_; }
  std::optional<std::string> setting(const AdmissionContext&) const override {
    return environment_.empty() ? std::nullopt
                                : std::optional(environment_[0].first + "=" + environment_[0].second);
  }
  std::vector<std::pair<std::string, std::string>> environment(const AdmissionContext&) const override {
    return environment_;
  }
  void allocate(Arena&, const Case&) const override {}
  std::unique_ptr<PreparedCollective> prepare(RankDevice&, const Case&) const override { return nullptr; }
  Estimate estimate(const Case& params, const MachineProfile&) const override {
    return {static_cast<double>(params.bytes.count), "bytes"};
  }

 private:
  std::string name_;
  std::optional<std::string> asks_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

// How scripted ranks behave.
struct Script {
  // ns of one call on a rank. Arguments: strategy entry, rank, launch (how-manieth group), how-manieth sample
  // of that launch.
  std::function<double(const Case&, int rank, int launch, int sample)> call_ns = [](const Case&, int, int,
                                                                                    int) { return 1000.0; };
  // What a rank had of its core in such a sample; nothing: it does not know.
  std::function<std::optional<TurnConditions>(const Case&, int rank, int launch, int sample)> conditions =
      [](const Case&, int, int, int) { return std::nullopt; };
  // ns of a replayed step with so many calls.
  std::function<double(int calls)> step_ns = [](int calls) { return 1000.0 * calls; };
  // What goes wrong with a request of a case; nothing: it is answered.
  std::function<std::optional<TurnOutcome>(const Case&, const Request&, int launch)> fault =
      [](const Case&, const Request&, int) { return std::nullopt; };
  // How the ranks of a launch come up.
  std::function<TurnOutcome(int launch)> fault_at_start = [](int) { return TurnOutcome{}; };
  // How the ranks of a launch end.
  std::function<TurnOutcome(int launch)> fault_at_end = [](int) { return TurnOutcome{}; };
  // As `fault`, for requests that belong to no case.
  std::function<std::optional<TurnOutcome>(const Request&)> fault_between = [](const Request&) {
    return std::nullopt;
  };
  // What the link can do at best.
  LinkLimits limits{.one_way_latency_ns = 100, .node_gap_ns = 50, .bandwidth_gbps = 10};
  // Verification's mismatch text; empty: right.
  std::function<std::string(const Case&)> mismatch = [](const Case&) { return std::string(); };
  // ns of one call's producer and consumer alone.
  double touch_ns = 100;
  // What calls in a row or timed repetitions leave wrong.
  std::function<std::optional<std::string>(const Case&, const Request&)> wrong =
      [](const Case&, const Request&) { return std::nullopt; };
  // What the ranks tell when they prepare a case. In a group that reports, what the library ran; else why
  // there is no such way here; nothing: neither.
  std::function<PrepareReply(const Case&, bool reporting, int rank)> prepare = [](const Case&, bool,
                                                                                  int rank) {
    return PrepareReply{5000.0 + rank, std::nullopt, std::nullopt};
  };
};

// Rank groups that answer from a script and let the fake clock run as real ranks would.
class ScriptedRanks final : public RankGroupFactory {
 public:
  ScriptedRanks(FakeClock& clock, Script script) : clock_(clock), script_(std::move(script)) {}

  StartedGroup start(const GroupSettings& settings, std::chrono::nanoseconds timeout) override;

  int starts() const { return starts_; }
  const std::vector<GroupSettings>& started() const { return started_; }  // groups that measure, in order
  int most_alive() const { return most_alive_; }                          // of those, at a time
  int reporting_starts() const { return reporting_starts_; }
  const std::vector<std::string>& sampled() const {
    return sampled_;
  }  // entry names, in the order of their turns

 private:
  class Group;

  FakeClock& clock_;
  Script script_;
  int starts_ = 0;            // of groups that measure
  int reporting_starts_ = 0;  // of groups that were started to report
  std::vector<std::string> sampled_;
  std::vector<GroupSettings> started_;
  int alive_ = 0;
  int most_alive_ = 0;
};

// A plan of these sizes and strategies, made by hand. Those with an environment have ranks of their own.
Plan scripted_plan(const std::vector<const Strategy*>& strategies, const std::vector<Bytes>& sizes,
                   SweepRequest request = {});

// Runs it, from an empty Document.
Document sweep(const Plan& plan, ScriptedRanks& ranks, FakeClock& clock, const SweepHooks& hooks = {});

}  // namespace ringside
