#include "trace/core/evaluate.hpp"

#include <algorithm>
#include <cctype>
#include <deque>

#include <fmt/format.h>

#include "trace/core/rank_list.hpp"
#include "trace/core/walk.hpp"

namespace ringside {

namespace {

constexpr int kMaxRanks = 1024;

int positive(const Value& value) {
  const auto* number = value.as<std::int64_t>();
  return number && *number >= 1 && *number <= kMaxRanks ? static_cast<int>(*number) : 1;
}

std::vector<RankPosition> positions(const Pipeline& pipeline, const Launch& launch) {
  const int tp = positive(initial_value(pipeline, launch, "args.tp_size"));
  const int pp = positive(initial_value(pipeline, launch, "args.pp_size"));
  const int ep = positive(initial_value(pipeline, launch, "args.ep_size"));
  std::vector<RankPosition> ranks;
  for (int stage = 0; stage < pp; ++stage)
    for (int rank = 0; rank < tp && static_cast<int>(ranks.size()) < kMaxRanks; ++rank)
      ranks.push_back({rank, stage, rank % std::max(ep, 1)});
  return ranks;
}

bool same_step(const TraceStep& a, const TraceStep& b) {
  return a.file == b.file && a.line == b.line && a.result == b.result && a.effect == b.effect &&
         a.worker == b.worker;
}

// Whether a walk went through this step of another walk, at the same place of the order or later.
bool went_through(const std::vector<TraceStep>& steps, const TraceStep& wanted) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const TraceStep& step) { return same_step(step, wanted); });
}

std::string ranks_where(const std::deque<Walk>& walks, const std::function<bool(const Walk&)>& test) {
  std::vector<int> ranks;
  for (std::size_t i = 0; i < walks.size(); ++i)
    if (test(walks[i])) ranks.push_back(static_cast<int>(i));
  return format_ranks(ranks);
}

TraceDeath refusal(const RefusedArgument& refused) {
  TraceDeath death;
  death.error = "SystemExit";
  death.message = refused.message;
  death.worker = to_string(Worker::main);
  if (!refused.place.file.empty())
    death.frames.push_back({refused.place.file, refused.place.line, "add_cli_args"});
  return death;
}

// The parser stops the server before anything else.
Evaluation end_at(const RefusedArgument& refused) {
  Evaluation evaluation;
  evaluation.death = refusal(refused);
  TraceStep step;
  step.worker = to_string(Worker::main);
  step.file = refused.place.file;
  step.line = refused.place.line;
  step.function = "add_cli_args";
  step.effect = fmt::format("{}: {}", evaluation.death->error, refused.message);
  step.result = StepResult::died;
  step.mark = StepMark::died;
  evaluation.steps.push_back(std::move(step));
  return evaluation;
}

Evaluation follow(const Pipeline& pipeline, const Launch& launch) {
  const std::vector<RankPosition> ranks = positions(pipeline, launch);
  Walk first(pipeline, launch, ranks.front());
  first.run();
  const std::string everyone = format_ranks(0, static_cast<int>(ranks.size()) - 1);
  if (!first.world().rank_was_read() || ranks.size() == 1) {
    Evaluation all = std::move(first.result);
    for (TraceStep& step : all.steps)
      if (step.worker != "main") step.ranks = everyone;
    if (all.death && all.death->worker != "main") all.death->ranks = everyone;
    for (TraceDeath& death : all.possible_deaths) death.ranks = everyone;
    return all;
  }
  std::deque<Walk> walks;
  for (const RankPosition& rank : ranks) {
    walks.emplace_back(pipeline, launch, rank);
    walks.back().run();
  }
  const auto dead = std::find_if(walks.begin(), walks.end(),
                                 [](const Walk& walk) { return walk.result.death.has_value(); });
  Evaluation shown = dead != walks.end() ? dead->result : walks.front().result;
  for (TraceStep& step : shown.steps)
    if (step.worker != "main")
      step.ranks =
          ranks_where(walks, [&](const Walk& walk) { return went_through(walk.result.steps, step); });
  if (shown.death && shown.death->worker != "main")
    shown.death->ranks = ranks_where(walks, [](const Walk& walk) { return walk.result.death.has_value(); });
  return shown;
}

// What an end says, wherever it is: the same exception may come from several places.
std::string words_of(const Evaluation& evaluation) {
  return evaluation.death ? evaluation.death->error + ": " + evaluation.death->message : "";
}

std::string end_of(const Evaluation& evaluation) {
  if (!evaluation.death) return "no failure found";
  const TraceDeath& death = *evaluation.death;
  const std::string what = death.message.empty() ? death.error : death.error + ": " + death.message;
  return death.frames.empty()
             ? what
             : fmt::format("{} at {}:{}", what, death.frames.back().file, death.frames.back().line);
}

bool is_open(const Evaluation& evaluation) {
  return !evaluation.undecided.empty() || !evaluation.not_evaluated.empty() ||
         !evaluation.possible_deaths.empty();
}

// Where a launch ends on each kind of GPU; the first one's where all are the same.
Evaluation follow_on_any_gpu(const Pipeline& pipeline, const Launch& launch) {
  Evaluation whole = follow(pipeline, launch);
  if (!launch.hardware.empty() || !whole.asked_for_gpu || !is_open(whole)) return whole;
  std::vector<Evaluation> each;
  std::vector<std::string> ends;
  for (const char* gpu : {"sm90", "sm80", "sm100", "sm120"}) {
    Launch one = launch;
    one.hardware = hardware_tests(gpu);
    each.push_back(follow(pipeline, one));
    ends.push_back(fmt::format("{}: {}", gpu, end_of(each.back())));
  }
  const bool same = std::all_of(each.begin(), each.end(), [&](const Evaluation& evaluation) {
    return words_of(evaluation) == words_of(each.front());
  });
  if (!same) {
    whole.death.reset();
    whole.undecided.insert(whole.undecided.begin(), ends.begin(), ends.end());
    return whole;
  }
  for (std::size_t i = 1; i < each.size(); ++i) {
    each.front().not_evaluated.merge(each[i].not_evaluated);
    for (std::string& line : each[i].undecided)
      if (std::find(each.front().undecided.begin(), each.front().undecided.end(), line) ==
          each.front().undecided.end())
        each.front().undecided.push_back(std::move(line));
    for (TraceDeath& death : each[i].possible_deaths)
      each.front().possible_deaths.push_back(std::move(death));
  }
  return std::move(each.front());
}

}  // namespace

std::vector<std::string> known_gpus() {
  return {"sm80", "sm86", "sm89", "sm90", "sm100", "sm103", "sm120"};
}

std::map<std::string, Value> hardware_tests(const std::string& gpu) {
  const std::vector<std::string> known = known_gpus();
  if (std::find(known.begin(), known.end(), gpu) == known.end()) return {};
  const bool hopper = gpu == "sm90", sm100 = gpu == "sm100" || gpu == "sm103", sm120 = gpu == "sm120";
  return {{"is_sm90_supported", hopper},   {"is_hopper_with_cuda_12_3", hopper},
          {"is_sm100_supported", sm100},   {"is_sm100_or_sm110_supported", sm100},
          {"is_sm120_supported", sm120},   {"is_blackwell_supported", sm100 || sm120},
          {"is_blackwell", sm100 || sm120}};
}

Evaluation evaluate(const Pipeline& pipeline, const Launch& launch) {
  for (const RefusedArgument& refused : launch.refused)
    if (!refused.field.empty()) return end_at(refused);
  Evaluation evaluation = follow_on_any_gpu(pipeline, launch);
  if (!evaluation.death && !launch.refused.empty()) evaluation.death = refusal(launch.refused.front());
  return evaluation;
}

Value initial_value(const Pipeline& pipeline, const Launch& launch, const std::string& name) {
  return World(pipeline, launch, {}).get(name);
}

std::string fill_in(const std::string& text, const Lookup& lookup) {
  std::string filled;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    const std::string name = text.substr(open + 1, close - open - 1);
    const bool is_name = name.find('.') != std::string::npos &&
                         std::all_of(name.begin(), name.end(),
                                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
    filled += text.substr(at, open - at);
    if (is_name) {
      const Value value = lookup(name);
      filled += value.as<std::string>() ? *value.as<std::string>() : to_text(value);
    } else {
      filled += text.substr(open, close - open + 1);
    }
    at = close + 1;
  }
  return filled + text.substr(std::min(at, text.size()));
}

}  // namespace ringside
