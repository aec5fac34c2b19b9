#include "served/decode_window.hpp"

#include <algorithm>
#include <cstdlib>

#include "served/line_numbers.hpp"
#include "served/log_line.hpp"

namespace ringside {
namespace {

constexpr double kLeastTokens_s = 1e-6;
constexpr double kMostSequences = 1e6;
constexpr double kMostLength = 1000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<double> within(double least, double most, const std::optional<double>& value) {
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

// "12:00:10" at `at`.
bool is_time(std::string_view text, std::size_t at) {
  constexpr std::string_view kShape = "dd:dd:dd";
  if (at + kShape.size() > text.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i)
    if (kShape[i] == 'd' ? !is_digit(text[at + i]) : text[at + i] != kShape[i]) return false;
  return true;
}

// The number behind `name` in words like "DP1 PP0 TP3"; nothing: it isn't among them.
std::optional<int> rank_of(std::string_view words, std::string_view name) {
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    if (word.size() > name.size() && word.starts_with(name) && is_digit(word[name.size()]))
      return std::atoi(std::string(word.substr(name.size())).c_str());
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<bool> truth_after(std::string_view line, std::string_view label) {
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + label.size());
  if (rest.starts_with("True")) return true;
  if (rest.starts_with("False")) return false;
  return std::nullopt;
}

}  // namespace

std::int64_t clock_of(std::string_view text) {
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    if (at < 2 || !is_time(text, at - 2)) continue;
    // The date stands before it: "2026-05-04 ", "2026-05-04T", "02-01 ".
    std::size_t begin = at - 2;
    if (begin > 0) --begin;
    while (begin > 0 && at - begin < 14 && (is_digit(text[begin - 1]) || text[begin - 1] == '-')) --begin;
    std::int64_t clock = 0;
    for (const char c : text.substr(begin, at + 6 - begin))
      if (is_digit(c)) clock = clock * 10 + (c - '0');
    return clock;
  }
  return 0;
}

std::optional<SglangWindow> sglang_window(std::string_view line) {
  const std::size_t at = line.find("Decode batch");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string words = rank_words(line.substr(0, at));
  if (rank_of(words, "PP").value_or(0) != 0) return std::nullopt;
  const std::string_view text = line.substr(at);
  SglangWindow read;
  DecodeWindow& window = read.window;
  window.speculative = text.find("accept len:") != std::string_view::npos;
  window.length = within(1, kMostLength, number_after(text, "accept len:"));
  if (window.speculative && !window.length) return std::nullopt;
  window.running = within(0, kMostSequences, number_after(text, "#running-req:"));
  window.tokens_s = within(kLeastTokens_s, 1e12, number_after(text, "gen throughput (token/s):"));
  for (const std::string_view label : {"#token:", "#full token:"})
    if (!window.kv_tokens) window.kv_tokens = within(1, 1e12, number_after(text, label));
  window.graph = truth_after(text, "cuda graph: ");
  const auto named = rank_of(words, "DP");
  read.rank_named = named.has_value();
  window.rank = named ? *named : rank_of(words, "TP").value_or(0);
  window.clock = clock_of(line.substr(0, at));
  return read;
}

std::optional<DecodeWindow> vllm_window(std::string_view line) {
  const std::size_t at = line.find("Avg generation throughput:");
  if (at == std::string_view::npos) return std::nullopt;
  DecodeWindow window;
  window.running = within(0, kMostSequences, number_after(line, "Running:"));
  window.tokens_s = within(kLeastTokens_s, 1e12, number_after(line, "Avg generation throughput:"));
  window.prefilled = number_after(line, "Avg prompt throughput:").value_or(0) > 0;
  if (const auto percent = within(0, 100, number_after(line, "GPU KV cache usage:")))
    window.kv_share = *percent / 100;
  const std::string_view before = line.substr(0, at);
  if (const std::size_t all = before.find(" Engines Aggregated:"); all != std::string_view::npos) {
    std::size_t begin = all;
    while (begin > 0 && is_digit(before[begin - 1])) --begin;
    const auto ranks = whole_number(before.substr(begin, all - begin));
    window.ranks = ranks && *ranks >= 1 && *ranks <= 1e5 ? static_cast<int>(*ranks) : 1;
  } else if (const auto engine = number_after(before, "Engine ")) {
    window.rank = to_count(std::min(*engine, 1e5));
  }
  window.clock = clock_of(before);
  return window;
}

VllmAcceptance vllm_acceptance(std::string_view line) {
  VllmAcceptance read;
  read.length = within(1, kMostLength, number_after(line, "Mean acceptance length:"));
  read.rates = shares_after(line, "Per-position acceptance rate:");
  // A later position is accepted only where the earlier ones were.
  for (std::size_t i = 1; i < read.rates.size(); ++i)
    read.rates[i] = std::min(read.rates[i], read.rates[i - 1]);
  const bool older = line.find("Speculative metrics:") != std::string_view::npos;
  if (const auto rate = number_after(line, "raft acceptance rate:"))
    read.accept_rate = within(0, 1, older ? *rate : *rate / 100);
  if (!older) return read;
  read.drafts_a_step = within(1, kMostLength, number_after(line, "Number of speculative tokens:"));
  // The first versions said "tokens tokens".
  const auto tokens = [&](std::string_view label) {
    const auto count = number_after(line, std::string(label) + ":");
    return count ? count : number_after(line, std::string(label) + " tokens:");
  };
  read.drafted = tokens("Number of draft tokens");
  read.emitted = tokens("Number of emitted tokens");
  // The efficiency is the share of the most tokens that so many drafts could give.
  if (const auto efficiency = number_after(line, "System efficiency:"); efficiency && read.drafts_a_step)
    read.length = std::clamp(*efficiency * (*read.drafts_a_step + 1), 1.0, *read.drafts_a_step + 1);
  return read;
}

}  // namespace ringside
