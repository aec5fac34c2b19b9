#include "spec/server_log.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "served/log_stream.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

// The number that follows `label`, or nothing.
std::optional<double> number_after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + label.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  double value = 0;
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (problem != std::errc{} || !(value >= 0 && value < 1e12)) return std::nullopt;
  return value;
}

// "0.929, 0.857, Avg Draft ...": the numbers up to the first word.
std::vector<double> numbers_after(std::string_view line, std::string_view label) {
  std::vector<double> values;
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return values;
  for (const std::string& part : split(line.substr(at + label.size()), ',')) {
    const std::string_view word = trim(part);
    double value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc{} || end != word.data() + word.size() || !(value >= 0 && value <= 1)) break;
    values.push_back(value);
  }
  return values;
}

// What one line says, or two that belong together.
struct Entry {
  std::optional<int> running;
  std::optional<double> tokens_s;
  std::optional<double> length;
  std::vector<double> rates;
};

std::optional<Quantity> over_lines(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const std::size_t tenth = values.size() / 10;
  Quantity quantity{.value = median(values), .origin = Origin::measured};
  const Interval range{values[tenth], values[values.size() - 1 - tenth]};
  if (range.low < range.high) quantity.range = range;
  return quantity;
}

constexpr const char* kDecodeBatch = "Decode batch";
constexpr const char* kAcceptance = "SpecDecoding metrics:";
constexpr const char* kOlderAcceptance = "Speculative metrics:";
constexpr const char* kThroughput = "Avg generation throughput:";

class SpeedReader final : public LogConsumer {
 public:
  void take(const LogLine& line) override {
    const std::string_view text = line.text;
    if (text.find(kDecodeBatch) != std::string_view::npos) return read_sglang(text);
    if (text.find(kAcceptance) != std::string_view::npos) return read_vllm_acceptance(text);
    if (text.find(kOlderAcceptance) != std::string_view::npos) return read_older_vllm(text);
    if (text.find(kThroughput) != std::string_view::npos) return read_vllm_throughput(text);
  }

  ServerLog result() const {
    ServerLog log;
    log.server = server_;
    log.lines = static_cast<int>(entries_.size());
    log.speculative = speculative_;
    log.running = commonest();
    std::vector<double> lengths;
    std::vector<double> rates;
    std::vector<std::vector<double>> positions;
    for (const Entry& entry : entries_) {
      if (entry.running != log.running) continue;
      ++log.used;
      if (entry.length) lengths.push_back(*entry.length);
      if (entry.tokens_s) rates.push_back(*entry.tokens_s);
      if (positions.empty()) positions.resize(entry.rates.size());
      if (entry.rates.size() != positions.size()) continue;
      for (std::size_t i = 0; i < positions.size(); ++i) positions[i].push_back(entry.rates[i]);
    }
    log.acceptance_length = over_lines(std::move(lengths));
    log.tokens_s = over_lines(std::move(rates));
    for (const std::vector<double>& column : positions) {
      // A later position is accepted only where the earlier ones were; medians of columns may miss that by a
      // hair.
      const double share = median(column);
      log.rates.push_back(log.rates.empty() ? share : std::min(share, log.rates.back()));
    }
    return log;
  }

 private:
  // The number of running requests that most lines have; nothing where no line says one.
  std::optional<int> commonest() const {
    std::map<int, int> lines;
    for (const Entry& entry : entries_) {
      if (entry.running) ++lines[*entry.running];
    }
    const auto most = std::ranges::max_element(lines, {}, [](const auto& item) { return item.second; });
    return most == lines.end() ? std::nullopt : std::optional(most->first);
  }

  // "Decode batch. #running-req: 1, #token: 108, token usage: 0.00, accept len: 2.17, [accept rate: 0.54,
  // cuda graph: True,] gen throughput (token/s): 178.86, #queue-req: 0". A plain server's lines have no
  // accept len; one that is no length says nothing about either server.
  void read_sglang(std::string_view line) {
    const bool speculates = line.find("accept len:") != std::string_view::npos;
    const auto length = at_least(1, number_after(line, "accept len:"));
    if (speculates && !length) return;
    speculative_ = speculative_ || speculates;
    const auto throughput = at_least(kLeastTokens_s, number_after(line, "gen throughput (token/s):"));
    add("SGLang", {running_in(line, "#running-req:"), throughput, length, {}});
  }

  // Behind the line of the same interval's throughput.
  void read_vllm_acceptance(std::string_view line) {
    speculative_ = true;
    const auto length = at_least(1, number_after(line, "Mean acceptance length:"));
    add_acceptance(length, numbers_after(line, "Per-position acceptance rate:"));
  }

  // "Speculative metrics: Draft acceptance rate: 0.612, System efficiency: 0.540, Number of speculative
  // tokens: 4, ...": the efficiency is the share of the most tokens that so many drafts could give.
  void read_older_vllm(std::string_view line) {
    speculative_ = true;
    const auto efficiency = number_after(line, "System efficiency:");
    const auto drafted = number_after(line, "Number of speculative tokens:");
    if (efficiency && drafted) add_acceptance(at_least(1, *efficiency * (*drafted + 1)), {});
  }

  void add_acceptance(const std::optional<double>& length, std::vector<double> rates) {
    if ((!length && rates.empty()) || running_ == 0) return;
    const bool follows = !entries_.empty() && !entries_.back().length && entries_.back().rates.empty();
    if (!follows) return add("vLLM", {running_, {}, length, std::move(rates)});
    entries_.back().length = length;
    entries_.back().rates = std::move(rates);
  }

  // An idle server goes on reporting, with 0 tokens/s.
  void read_vllm_throughput(std::string_view line) {
    running_ = running_in(line, "Running:");
    const auto throughput = at_least(kLeastTokens_s, number_after(line, kThroughput));
    add("vLLM", {running_, throughput, {}, {}});
  }

  void add(const char* server, Entry entry) {
    const bool idle = entry.running == 0;
    if (idle || (!entry.tokens_s && !entry.length && entry.rates.empty())) return;
    server_ = server;
    entries_.push_back(std::move(entry));
  }

  static std::optional<int> running_in(std::string_view line, std::string_view label) {
    const auto running = number_after(line, label);
    if (!running || *running > 1e6) return std::nullopt;
    return static_cast<int>(*running);
  }

  static std::optional<double> at_least(double least, const std::optional<double>& value) {
    return value && *value >= least ? value : std::nullopt;
  }

  static constexpr double kLeastTokens_s = 1e-6;

  std::string server_;
  bool speculative_ = false;
  std::optional<int> running_;  // that the last line of vLLM's throughput said
  std::vector<Entry> entries_;
};

}  // namespace

ServerLog read_server_log(const std::string& text, const std::string& origin) {
  SpeedReader reader;
  LogStream stream({kDecodeBatch, kAcceptance, kOlderAcceptance, kThroughput}, reader);
  try {
    stream.feed(text);
  } catch (const UsageError& problem) {
    throw UsageError(fmt::format("{}: {}", origin, problem.what()));
  }
  stream.finish();
  return reader.result();
}

}  // namespace ringside
