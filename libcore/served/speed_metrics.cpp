#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "served/prometheus.hpp"
#include "served/read_speeds.hpp"

namespace ringside {
namespace {

constexpr std::string_view kVllm = "vllm:";
constexpr std::string_view kSglang = "sglang:";

std::string label(const MetricValue& metric, const char* name) {
  const auto found = metric.labels.find(name);
  return found == metric.labels.end() ? "" : found->second;
}

// Of one engine (a data-parallel rank), all other labels together; nothing: it isn't there.
std::optional<double> sum_of(const MetricValues& metrics, std::string_view name, const std::string& engine) {
  const auto found = metrics.find(name);
  if (found == metrics.end()) return std::nullopt;
  std::optional<double> sum;
  for (const MetricValue& metric : found->second)
    if (label(metric, "engine") == engine) sum = sum.value_or(0) + metric.value;
  return sum;
}

// Two snapshots of a vLLM server.
class Counters {
 public:
  Counters(const MetricValues& before, const MetricValues& after, std::string origin)
      : before_(before), after_(after), origin_(std::move(origin)) {}

  std::set<std::string> engines() const {
    std::set<std::string> names;
    for (const char* name :
         {"vllm:generation_tokens_total", "vllm:num_requests_running", "vllm:spec_decode_num_drafts_total"})
      if (const auto found = after_.find(name); found != after_.end())
        for (const MetricValue& metric : found->second) names.insert(label(metric, "engine"));
    return names;
  }

  // How far a counter went, by the first of its names that is there; nothing: it is in neither snapshot. One
  // that begins with the second counts from 0.
  std::optional<double> went(std::initializer_list<std::string_view> names, const std::string& engine) const {
    for (const std::string_view name : names) {
      const auto last = sum_of(after_, name, engine);
      if (!last) continue;
      const double first = sum_of(before_, name, engine).value_or(0);
      if (*last < first)
        throw UsageError(
            fmt::format("{}: {} fell from {:g} to {:g}: these are not two snapshots of one server, the "
                        "first one first",
                        origin_, name, first, *last));
      return *last - first;
    }
    return std::nullopt;
  }

  // Shares of drafts whose position was accepted.
  std::vector<double> rates(double drafts) const {
    constexpr std::string_view kName = "vllm:spec_decode_num_accepted_tokens_per_pos_total";
    std::map<int, double> counts;
    add(after_, kName, 1, counts);
    add(before_, kName, -1, counts);
    std::vector<double> shares;
    for (const auto& [position, count] : counts) {
      if (position != static_cast<int>(shares.size())) break;
      const double share = std::clamp(count / drafts, 0.0, 1.0);
      shares.push_back(shares.empty() ? share : std::min(share, shares.back()));
    }
    return shares;
  }

 private:
  static void add(const MetricValues& metrics, std::string_view name, double sign,
                  std::map<int, double>& counts) {
    const auto found = metrics.find(name);
    if (found == metrics.end()) return;
    for (const MetricValue& metric : found->second) {
      const std::string position = label(metric, "position");
      if (!position.empty() && position.size() < 4 &&
          position.find_first_not_of("0123456789") == std::string::npos)
        counts[std::stoi(position)] += sign * metric.value;
    }
  }

  const MetricValues& before_;
  const MetricValues& after_;
  std::string origin_;
};

// What one engine did between the snapshots. A step of it gives each of its sequences one value of the time
// between tokens, so steps and values tell how many sequences it had at a time.
struct EngineWork {
  double batch = 0;
  double tokens_s = 0;
};

std::optional<EngineWork> work_of(const Counters& counters, const std::string& engine) {
  // The second name is of older versions.
  const auto seconds = counters.went(
      {"vllm:inter_token_latency_seconds_sum", "vllm:time_per_output_token_seconds_sum"}, engine);
  const auto values = counters.went(
      {"vllm:inter_token_latency_seconds_count", "vllm:time_per_output_token_seconds_count"}, engine);
  const auto steps = counters.went({"vllm:iteration_tokens_total_count"}, engine);
  const auto tokens = counters.went({"vllm:generation_tokens_total"}, engine);
  const auto firsts = counters.went({"vllm:time_to_first_token_seconds_count"}, engine);
  if (!seconds || !values || !steps || !tokens || *seconds <= 0 || *values <= 0 || *steps <= 0)
    return std::nullopt;
  EngineWork work;
  work.batch = *values / *steps;
  const double step_s = *seconds / *values;
  const double tokens_a_step = (*tokens - firsts.value_or(0)) / *values;  // of a sequence
  if (tokens_a_step <= 0) return std::nullopt;
  work.tokens_s = work.batch * tokens_a_step / step_s;
  return work;
}

void take_drafts(const Counters& counters, SpeedReading& reading) {
  double drafts = 0, drafted = 0, accepted = 0;
  for (const std::string& engine : counters.engines()) {
    drafts += counters.went({"vllm:spec_decode_num_drafts_total"}, engine).value_or(0);
    drafted += counters.went({"vllm:spec_decode_num_draft_tokens_total"}, engine).value_or(0);
    accepted += counters.went({"vllm:spec_decode_num_accepted_tokens_total"}, engine).value_or(0);
  }
  if (drafted > 0 && accepted <= drafted) reading.accept_rate = accepted / drafted;
  reading.speculative = drafts > 0 || drafted > 0;
  if (drafts <= 0) return;
  reading.length = 1 + accepted / drafts;
  reading.rates = counters.rates(drafts);
}

std::optional<double> mean_context(const Counters& counters) {
  double prompts = 0, answers = 0, requests = 0;
  for (const std::string& engine : counters.engines()) {
    prompts += counters.went({"vllm:request_prompt_tokens_sum"}, engine).value_or(0);
    answers += counters.went({"vllm:request_generation_tokens_sum"}, engine).value_or(0);
    requests += counters.went({"vllm:request_prompt_tokens_count"}, engine).value_or(0);
  }
  if (requests <= 0 || prompts <= 0) return std::nullopt;
  return (prompts + answers / 2) / requests;
}

void read_vllm(const MetricValues& before, const MetricValues& after, const std::string& origin,
               SpeedFile& file) {
  const Counters counters(before, after, origin);
  SpeedReading reading;
  reading.basis = SpeedBasis::counters;
  reading.arguments.server = "vLLM";
  take_drafts(counters, reading);
  double batch = 0, tokens_s = 0;
  int working = 0;
  for (const std::string& engine : counters.engines()) {
    const auto work = work_of(counters, engine);
    if (!work) continue;
    ++working;
    batch += work->batch;
    tokens_s += work->tokens_s;
  }
  if (working > 0) {
    reading.batch = batch;
    reading.tokens_s = tokens_s;
    reading.ranks = working;
    reading.ranks_of = static_cast<int>(counters.engines().size());
  }
  reading.context = mean_context(counters);
  reading.windows = 1;
  reading.settled = true;
  reading.source = fmt::format("{}, counters of vLLM", origin);
  if (reading.tokens_s || reading.length || reading.accept_rate) file.readings.push_back(std::move(reading));
}

// Values of the ranks that have requests of their own: not of other stages or shards, not of one priority
// alone.
std::optional<double> gauge(const MetricValues& metrics, std::initializer_list<std::string_view> names,
                            std::set<std::string>* ranks, bool mean) {
  for (const std::string_view name : names) {
    const auto found = metrics.find(name);
    if (found == metrics.end()) continue;
    std::map<std::string, double> by_rank;  // the last of a rank: all have one TP rank that writes
    for (const MetricValue& metric : found->second) {
      const std::string stage = label(metric, "pp_rank");
      if ((!stage.empty() && stage != "0") || !label(metric, "priority").empty()) continue;
      const std::string rank = label(metric, "dp_rank");
      by_rank.try_emplace(rank.empty() ? label(metric, "tp_rank") : rank, metric.value);
    }
    if (by_rank.empty()) continue;
    double sum = 0;
    int counted = 0;
    for (const auto& [rank, value] : by_rank) {
      if (mean && value <= 0) continue;
      sum += value;
      ++counted;
      if (ranks != nullptr && value > 0) ranks->insert(rank);
    }
    return mean && counted > 0 ? sum / counted : sum;
  }
  return std::nullopt;
}

void read_sglang(const MetricValues& metrics, const std::string& origin, SpeedFile& file) {
  SpeedReading reading;
  reading.basis = SpeedBasis::gauges;
  reading.arguments.server = "SGLang";
  std::set<std::string> ranks;
  const auto running =
      gauge(metrics, {"sglang:num_running_reqs", "sglang:num_requests_running"}, &ranks, false);
  const auto speed = gauge(metrics, {"sglang:gen_throughput"}, nullptr, false);
  if (!running || *running <= 0 || !speed || *speed <= 0) return;
  reading.batch = running;
  reading.tokens_s = speed;
  reading.ranks = reading.ranks_of = std::max<int>(1, static_cast<int>(ranks.size()));
  if (const auto length = gauge(metrics, {"sglang:spec_accept_length"}, nullptr, true);
      length && *length >= 1) {
    reading.speculative = true;
    reading.length = length;
  }
  if (const auto used = gauge(metrics, {"sglang:num_used_tokens"}, nullptr, false); used && *used > 0)
    reading.context = *used / *running;
  reading.windows = 1;
  reading.settled = true;
  reading.source = fmt::format("{}, last values of SGLang", origin);
  file.readings.push_back(std::move(reading));
}

// Two values of one batch are one reading with a spread.
void join_equal(std::vector<SpeedReading>& readings) {
  if (readings.size() != 2) return;
  SpeedReading& first = readings[0];
  const SpeedReading& second = readings[1];
  if (first.batch != second.batch || first.speculative != second.speculative || first.ranks != second.ranks)
    return;
  const auto mean = [](std::optional<double>& a, const std::optional<double>& b) {
    if (a && b) a = (*a + *b) / 2;
  };
  const double a = *first.tokens_s, b = *second.tokens_s;
  first.spread = Interval{std::min(a, b), std::max(a, b)};
  mean(first.tokens_s, second.tokens_s);
  mean(first.length, second.length);
  mean(first.context, second.context);
  first.windows = 2;
  first.source = second.source;
  readings.pop_back();
}

}  // namespace

SpeedFile read_speed_metrics(const std::string& before, const std::string& before_origin,
                             const std::string& after, const std::string& after_origin) {
  SpeedFile file;
  const MetricValues vllm_before = read_metrics(before, kVllm), vllm_after = read_metrics(after, kVllm);
  const MetricValues sglang_before = read_metrics(before, kSglang),
                     sglang_after = read_metrics(after, kSglang);
  for (const auto& [vllm, sglang, origin] : {std::tuple{&vllm_before, &sglang_before, &before_origin},
                                             std::tuple{&vllm_after, &sglang_after, &after_origin}})
    if (vllm->empty() && sglang->empty())
      throw UsageError(
          fmt::format("{}: no snapshot of a server's /metrics (no 'vllm:' and no 'sglang:')", *origin));
  if (vllm_before.empty() != vllm_after.empty())
    throw UsageError(fmt::format("{} and {} are of different servers", before_origin, after_origin));
  if (!vllm_after.empty()) {
    file.kind = "vLLM metrics";
    read_vllm(vllm_before, vllm_after, after_origin, file);
  } else {
    file.kind = "SGLang metrics";
    read_sglang(sglang_before, before_origin, file);
    read_sglang(sglang_after, after_origin, file);
    join_equal(file.readings);
  }
  if (file.readings.empty())
    throw UsageError(fmt::format("{} and {}: the server had nothing to do between, or when they were taken",
                                 before_origin, after_origin));
  file.arguments = file.readings.back().arguments;
  return file;
}

}  // namespace ringside
