#include "spec/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "sweep/size_list.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostPoints = 64;
constexpr double kMostBatch = 1e6;
constexpr double kMostContext = 1e8;

// `example`: "8, 1,4,16 or 1:64:x2".
std::vector<double> parse_counts(std::string_view text, double most, std::string_view what,
                                 std::string_view example) {
  std::vector<Bytes> sizes;
  try {
    sizes = parse_size_list(text);
  } catch (const UsageError&) {  // it speaks of messages
    throw UsageError(
        fmt::format("expected {} from 1 on, ascending, such as {}, not '{}'", what, example, text));
  }
  std::vector<double> counts;
  for (const Bytes& count : sizes) {
    if (static_cast<double>(count.count) > most)
      throw UsageError(fmt::format("'{}' is more than {:.0f} {}", text, most, what));
    counts.push_back(static_cast<double>(count.count));
  }
  if (counts.size() > kMostPoints)
    throw UsageError(fmt::format("'{}' gives {} values of at most {}", text, counts.size(), kMostPoints));
  return counts;
}

double parse_number(const std::string& text, double least, double most, const std::string& what) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most))
    throw UsageError(fmt::format("{} is a number from {:g} to {:g}, not '{}'", what, least, most, text));
  return value;
}

// The keys and values of "a=1,b=2".
std::map<std::string, std::string> parse_pairs(const std::string& text) {
  static const std::vector<std::string> known = {"batch",    "drafts", "top_k",  "candidates",
                                                 "tokens_s", "length", "context"};
  std::map<std::string, std::string> pairs;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("expected NAME=VALUE, not '{}' (batch=8,tokens_s=455)", part));
    const std::string name(trim(part.substr(0, equals)));
    if (std::ranges::find(known, name) == known.end()) {
      throw UsageError(
          fmt::format("unknown name '{}'{}; valid: {}", name, did_you_mean(name, known), join(known, ", ")));
    }
    if (!pairs.emplace(name, std::string(trim(part.substr(equals + 1)))).second)
      throw UsageError(fmt::format("'{}' comes twice in '{}'", name, text));
  }
  return pairs;
}

int whole(const std::string& text, double least, double most, const std::string& what) {
  const double value = parse_number(text, least, most, what);
  if (value != std::floor(value)) throw UsageError(fmt::format("{} is a whole number, not '{}'", what, text));
  return static_cast<int>(value);
}

}  // namespace

std::vector<int> parse_batches(std::string_view text) {
  std::vector<int> batches;
  for (const double count : parse_counts(text, kMostBatch, "running sequences", "8, 1,4,16 or 1:64:x2"))
    batches.push_back(static_cast<int>(count));
  return batches;
}

std::vector<double> parse_contexts(std::string_view text) {
  return parse_counts(text, kMostContext, "tokens", "2K, 1K,8K or 1K:32K:x4");
}

SpeedReading parse_observation(const std::string& text) {
  const std::map<std::string, std::string> pairs = parse_pairs(text);
  const auto find = [&](const char* name) -> std::optional<std::string> {
    const auto found = pairs.find(name);
    return found == pairs.end() ? std::nullopt : std::optional(found->second);
  };
  SpeedReading reading;
  reading.source = "--observe " + text;
  reading.basis = SpeedBasis::gauges;
  reading.settled = true;
  reading.windows = 1;
  const auto batch = find("batch");
  if (!batch) throw UsageError(fmt::format("'{}' has no batch=N: a speed belongs to a batch", text));
  reading.batch = whole(*batch, 1, kMostBatch, "batch");
  if (const auto tokens_s = find("tokens_s"))
    reading.tokens_s = parse_number(*tokens_s, 1e-6, 1e12, "tokens_s");
  if (const auto drafts = find("drafts")) {
    const int count = whole(*drafts, 0, 4096, "drafts");
    reading.speculative = count > 0;
    if (count > 0) {
      const auto width = find("top_k");
      const auto rows = find("candidates");
      reading.arguments.draft_steps = count;
      reading.arguments.draft_width = width ? whole(*width, 1, 4096, "top_k") : 1;
      reading.arguments.verify_rows = rows ? whole(*rows, 2, 4096, "candidates") : count + 1;
    }
  }
  for (const char* of_drafts : {"top_k", "candidates"}) {
    if (find(of_drafts) && !reading.speculative)
      throw UsageError(fmt::format("'{}' has {} and no drafts=N", text, of_drafts));
  }
  if (const auto length = find("length")) {
    if (!reading.speculative) throw UsageError(fmt::format("'{}' has a length and no drafts=N", text));
    reading.length = parse_number(*length, 1, *reading.arguments.draft_steps + 1.0, "length");
  }
  if (const auto context = find("context")) {
    const Bytes tokens = parse_size(*context);
    if (tokens.count == 0) throw UsageError(fmt::format("'{}': a context has one token at least", text));
    reading.context = static_cast<double>(tokens.count);
  }
  if (!reading.tokens_s && !reading.length)
    throw UsageError(fmt::format("'{}' has no tokens_s=RATE: nothing was observed", text));
  return reading;
}

bool names_published_acceptance(std::string_view text) {
  return text.starts_with("golden:");
}

AcceptanceInput parse_acceptance_input(const std::string& text, int levels) {
  AcceptanceInput input;
  input.rates_origin = Origin::reported;
  input.rates_source = kTypedAcceptance;
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() > 1) {
    for (const std::string& part : parts) {
      const double rate = parse_number(std::string(trim(part)), 0, 1, "a share of accepted drafts");
      if (!input.rates.empty() && rate > input.rates.back()) {
        throw UsageError(
            fmt::format("'{}': shares by position never rise, as a position is accepted only where the one "
                        "before was",
                        text));
      }
      input.rates.push_back(rate);
    }
    return input;
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || !(value >= 0)) {
    throw UsageError(
        fmt::format("expected a length (2.4), shares by position (0.8,0.6) or a published curve "
                    "(golden:NAME), not '{}'",
                    text));
  }
  const Quantity given{.value = value, .origin = Origin::reported, .range = {}, .source = kTypedAcceptance};
  if (value < 1) {
    input.rate = given;
  } else if (value <= levels + 1) {
    input.length = given;
  } else {
    throw UsageError(fmt::format("a length of {:g} needs more than {} drafts (--drafts N)", value, levels));
  }
  return input;
}

}  // namespace ringside
