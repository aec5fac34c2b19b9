#include "support/scripted_ranks.hpp"

#include <algorithm>

namespace ringside {

class ScriptedRanks::Group final : public RankGroup {
 public:
  Group(ScriptedRanks& owner, int ranks, int launch, bool reporting)
      : owner_(owner), ranks_(ranks), launch_(launch), reporting_(reporting) {
    if (!reporting) owner_.most_alive_ = std::max(owner_.most_alive_, ++owner_.alive_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() override {
    if (!reporting_) --owner_.alive_;
  }

  TurnOutcome ask(const std::string& text, std::chrono::nanoseconds timeout) override {
    const Request request = decode_request(text);
    if (const auto* prepare = std::get_if<Prepare>(&request)) cases_[prepare->slot] = prepare->params;
    const Case* params = case_of(request);
    const TimePoint asked = owner_.clock_.now();
    if (params == nullptr) {
      if (auto outcome = owner_.script_.fault_between(request)) return *outcome;
    } else {
      if (auto outcome = owner_.script_.fault(*params, request, launch_)) {
        if (outcome->kind == TurnOutcome::Kind::timeout) owner_.clock_.advance(timeout);
        return *outcome;
      }
    }
    TurnOutcome outcome;
    for (int rank = 0; rank < ranks_; ++rank) outcome.replies.push_back(answer(request, rank));
    const auto took = owner_.clock_.now() - asked;
    if (took <= timeout) return outcome;
    owner_.clock_.advance(timeout - took);
    TurnOutcome late;
    late.kind = TurnOutcome::Kind::timeout;
    late.message = "the ranks do not answer";
    late.alive = false;
    return late;
  }

  TurnOutcome end() override { return owner_.script_.fault_at_end(launch_); }

 private:
  const Case* case_of(const Request& request) const {
    int slot = -1;
    if (const auto* prepare = std::get_if<Prepare>(&request)) slot = prepare->slot;
    if (const auto* verify = std::get_if<Verify>(&request)) slot = verify->slot;
    if (const auto* check = std::get_if<CheckCalls>(&request)) slot = check->slot;
    if (const auto* sample = std::get_if<Sample>(&request)) slot = sample->slot;
    if (const auto* skew = std::get_if<MeasureSkew>(&request)) slot = skew->slot;
    const auto found = cases_.find(slot);
    return found == cases_.end() ? nullptr : &found->second;
  }

  std::string answer(const Request& request, int rank) {
    if (std::holds_alternative<Prepare>(request)) {
      return encode(owner_.script_.prepare(*case_of(request), reporting_, rank));
    }
    if (const auto* skew = std::get_if<MeasureSkew>(&request)) {
      // All wait for the last rank, whose own time holds its delay.
      const double call = owner_.script_.call_ns(*case_of(request), rank, launch_, 1);
      const double whole = static_cast<double>(skew->delay.count()) + call;
      return encode(SampleReply{std::vector<double>(static_cast<std::size_t>(skew->repetitions), whole)});
    }
    if (std::holds_alternative<MeasureLimits>(request)) return encode(owner_.script_.limits);
    if (std::holds_alternative<Verify>(request)) {
      VerifyReply reply;
      reply.calls = 4;
      reply.elements = 100;
      reply.hashes = {1, 2, 3, 4};
      if (const std::string text = owner_.script_.mismatch(*case_of(request)); !text.empty()) {
        reply.mismatch.emplace();
        reply.mismatch->text = text;
      }
      return encode(reply);
    }
    if (const auto* step = std::get_if<SampleStep>(&request)) {
      const double whole = step->silent ? 0 : owner_.script_.step_ns(static_cast<int>(step->parts.size()));
      return encode(SampleReply{std::vector<double>(static_cast<std::size_t>(step->repetitions), whole)});
    }
    if (const auto* check = std::get_if<CheckCalls>(&request)) {
      const auto replay = static_cast<std::uint64_t>(check->plan.calls_per_replay);
      const std::uint64_t calls = (check->plan.calls + replay - 1) / replay * replay;
      const double call = owner_.script_.call_ns(*case_of(request), rank, launch_, 1);
      const double whole = call * static_cast<double>(calls + check->plan.unchecked);
      if (rank == 0) owner_.clock_.advance(std::chrono::nanoseconds(static_cast<std::int64_t>(whole)));
      return encode(CallReply{calls, owner_.script_.wrong(*case_of(request), request)});
    }
    const auto* sample = std::get_if<Sample>(&request);
    if (sample == nullptr) return "{}";
    const Case& params = *case_of(request);
    if (sample->timed == Timed::touch) {
      const double whole = owner_.script_.touch_ns * sample->calls;
      return encode(SampleReply{std::vector<double>(static_cast<std::size_t>(sample->repetitions), whole)});
    }
    if (rank == 0) {
      owner_.sampled_.push_back(entry_name(params));
      ++samples_[entry_name(params)];
    }
    const double call = owner_.script_.call_ns(params, rank, launch_, samples_[entry_name(params)]);
    const double whole =
        (call + (sample->timed == Timed::fresh ? owner_.script_.touch_ns : 0)) * sample->calls;
    if (rank == 0) {
      owner_.clock_.advance(
          std::chrono::nanoseconds(static_cast<std::int64_t>(whole * (sample->repetitions + 1))));
    }
    SampleReply reply{std::vector<double>(static_cast<std::size_t>(sample->repetitions), whole),
                      owner_.script_.wrong(params, request)};
    reply.conditions = owner_.script_.conditions(params, rank, launch_, samples_[entry_name(params)]);
    return encode(reply);
  }

  ScriptedRanks& owner_;
  int ranks_;
  int launch_;
  bool reporting_;
  std::map<int, Case> cases_;
  std::map<std::string, int> samples_;
};

StartedGroup ScriptedRanks::start(const GroupSettings& settings, std::chrono::nanoseconds timeout) {
  const bool reporting = settings.device.report;
  const int launch = reporting ? reporting_starts_++ : starts_++;
  TurnOutcome outcome = script_.fault_at_start(launch);
  if (outcome.kind == TurnOutcome::Kind::timeout) clock_.advance(timeout);
  if (outcome.kind != TurnOutcome::Kind::ok) return {nullptr, std::move(outcome)};
  if (!reporting) started_.push_back(settings);
  return {std::make_unique<Group>(*this, settings.ranks, launch, reporting), std::move(outcome)};
}

Plan scripted_plan(const std::vector<const Strategy*>& strategies, const std::vector<Bytes>& sizes,
                   SweepRequest request) {
  using namespace std::chrono_literals;
  if (request.budget == 0ns) request.budget = 60s;
  if (request.turn_timeout == 0ns) request.turn_timeout = 5s;
  request.first().sizes = sizes;
  Plan plan;
  for (const Bytes size : sizes) {
    CaseGroup group;
    std::map<const Strategy*, int> entries;
    for (const Strategy* strategy : strategies) {
      Case params{.strategy = std::string(strategy->name()),
                  .family = std::string(strategy->family()),
                  .entry = entries[strategy]++,
                  .bytes = size,
                  .ranks = request.ranks};
      PlannedCase planned{
          .params = params, .strategy = strategy, .skipped = {}, .setting = strategy->setting({})};
      if (auto environment = strategy->environment({}); !environment.empty()) {
        plan.rank_groups.resize(2);
        plan.rank_groups[1].environment = std::move(environment);
        planned.rank_group = 1;
      }
      group.cases.push_back(plan.cases.size());
      plan.cases.push_back(std::move(planned));
    }
    plan.groups.push_back(group);
  }
  plan.request = std::move(request);
  return plan;
}

Document sweep(const Plan& plan, ScriptedRanks& ranks, FakeClock& clock, const SweepHooks& hooks) {
  Document document;
  run_sweep(plan, ranks, clock, hooks, document);
  return document;
}

}  // namespace ringside
