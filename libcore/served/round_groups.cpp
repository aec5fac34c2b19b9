#include "served/round_groups.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr double kNear = 0.05;     // numbers of sequences that are one batch
constexpr double kOff = 0.2;       // of a rate, for a round at an edge
constexpr std::size_t kBasis = 3;  // undisturbed rounds at least, to judge the others by

// Which reading a round is of.
struct Key {
  int start = 0;
  bool speculative = false;
  int ranks = 0;
  double batch = 0;  // the commonest number of sequences of the reading; below 0: not said
  int context = 0;   // doublings above the smallest mean context of that batch

  auto operator<=>(const Key&) const = default;
};

Key exact_key(const DecodeRound& round) {
  return {round.start, round.speculative, round.ranks, round.running.value_or(-1), 0};
}

// For each number of sequences the one that it counts as: commoner ones first take what is near them.
std::map<Key, double> batches_of(const std::vector<DecodeRound>& rounds) {
  std::map<Key, int> counts;
  for (const DecodeRound& round : rounds) ++counts[exact_key(round)];
  std::vector<std::pair<Key, int>> commonest(counts.begin(), counts.end());
  std::ranges::stable_sort(commonest, std::ranges::greater{}, &std::pair<Key, int>::second);
  std::map<Key, double> batches;
  for (const auto& [key, count] : commonest) {
    if (batches.contains(key)) continue;
    Key from = key, to = key;
    from.batch = key.batch < 0 ? key.batch : key.batch * (1 - kNear);
    to.batch = key.batch < 0 ? key.batch : key.batch * (1 + kNear);
    for (auto near = counts.lower_bound(from); near != counts.end() && near->first <= to; ++near)
      batches.try_emplace(near->first, key.batch);
  }
  return batches;
}

std::optional<double> context_of(const DecodeRound& round) {
  if (!round.kv_tokens || !round.running || *round.running <= 0) return std::nullopt;
  return *round.kv_tokens / *round.running;
}

// Parts rounds of one batch where their contexts are more than a factor 2 apart: long ones are slower. Short
// ones are alike, and where one isn't known none is told apart.
void part_by_context(const std::vector<DecodeRound>& rounds, std::vector<Key>& keys) {
  constexpr double kShort = 2048;
  struct Range {
    double low = 0;
    double high = 0;
    bool known = true;
  };
  std::map<Key, Range> ranges;
  const auto length = [&](double context) { return std::max(context, kShort); };
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const auto context = context_of(rounds[i]);
    const auto [range, first] = ranges.try_emplace(keys[i]);
    if (!context) {
      range->second.known = false;
      continue;
    }
    Range& known = range->second;
    known.low = known.low == 0 ? length(*context) : std::min(known.low, length(*context));
    known.high = std::max(known.high, length(*context));
  }
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const Range& range = ranges.at(keys[i]);
    if (!range.known || range.high <= 2 * range.low) continue;
    keys[i].context = static_cast<int>(std::log2(length(*context_of(rounds[i])) / range.low));
  }
}

// A round and what is known of its neighbours.
struct Placed {
  const DecodeRound* round = nullptr;
  bool follows = false;  // the round before it is of the same reading
  bool leads = false;    // the one behind it is

  bool disturbed() const { return !follows || !leads || round->prefilled; }
};

std::vector<double> rates_of(const std::vector<Placed>& placed, bool all) {
  std::vector<double> rates;
  for (const Placed& item : placed)
    if (item.round->tokens_s && (all || !item.disturbed())) rates.push_back(*item.round->tokens_s);
  return rates;
}

// Without the rounds at an edge that tell another speed.
std::vector<Placed> without_edges(const std::vector<Placed>& placed) {
  std::vector<double> basis = rates_of(placed, false);
  if (basis.size() < kBasis) basis = rates_of(placed, true);
  if (basis.size() < kBasis) return placed;
  const double middle = median(basis);
  std::vector<Placed> kept;
  for (const Placed& item : placed) {
    const bool off = item.round->tokens_s && std::fabs(*item.round->tokens_s / middle - 1) > kOff;
    if (!off || !item.disturbed()) kept.push_back(item);
  }
  return kept.empty() ? placed : kept;
}

template <typename Take>
std::vector<double> numbers_of(const std::vector<Placed>& placed, Take take) {
  std::vector<double> numbers;
  for (const Placed& item : placed)
    if (const std::optional<double> value = take(*item.round)) numbers.push_back(*value);
  std::ranges::sort(numbers);
  return numbers;
}

std::optional<double> median_of(const std::vector<double>& sorted) {
  return sorted.empty() ? std::nullopt : std::optional(quantile_sorted(sorted, 0.5));
}

// The tenth at both ends left out; below ten all.
std::optional<Interval> spread_of(const std::vector<double>& sorted) {
  if (sorted.size() < 2) return std::nullopt;
  const std::size_t tenth = sorted.size() / 10;
  return Interval{sorted[tenth], sorted[sorted.size() - 1 - tenth]};
}

std::vector<double> median_rates(const std::vector<Placed>& placed) {
  std::vector<std::vector<double>> columns;
  for (const Placed& item : placed) {
    const std::vector<double>& rates = item.round->rates;
    if (columns.empty()) columns.resize(rates.size());
    if (rates.size() != columns.size()) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(rates[i]);
  }
  std::vector<double> medians;
  // Medians of columns may rise by a hair where no window's rates do.
  for (const std::vector<double>& column : columns)
    medians.push_back(medians.empty() ? median(column) : std::min(median(column), medians.back()));
  return medians;
}

int known_ranks(int heard, const LoggedArguments& arguments) {
  return std::max(heard, arguments.data_parallel.value_or(1));
}

SpeedReading reading_of(const std::vector<Placed>& placed, const LoggedArguments& arguments) {
  const std::vector<Placed> kept = without_edges(placed);
  const DecodeRound& first = *placed.front().round;
  SpeedReading reading;
  reading.speculative = first.speculative;
  reading.ranks = first.ranks;
  reading.ranks_of = known_ranks(first.ranks, arguments);
  reading.batch = median_of(numbers_of(kept, [](const DecodeRound& round) { return round.running; }));
  const auto speeds = numbers_of(kept, [](const DecodeRound& round) { return round.tokens_s; });
  reading.tokens_s = median_of(speeds);
  reading.spread = spread_of(speeds);
  const auto lengths = numbers_of(kept, [](const DecodeRound& round) { return round.length; });
  reading.length = median_of(lengths);
  reading.length_spread = spread_of(lengths);
  reading.accept_rate =
      median_of(numbers_of(kept, [](const DecodeRound& round) { return round.accept_rate; }));
  reading.rates = median_rates(kept);
  reading.context = median_of(numbers_of(kept, context_of));
  for (const Placed& item : kept)
    if (item.round->graph) reading.graph = reading.graph.value_or(true) && *item.round->graph;
  reading.windows = static_cast<int>(kept.size());
  reading.left_out = static_cast<int>(placed.size() - kept.size());
  reading.settled = std::ranges::any_of(placed, &Placed::follows);
  reading.arguments = arguments;
  return reading;
}

}  // namespace

std::vector<SpeedReading> readings_of(const std::vector<DecodeRound>& rounds,
                                      const std::vector<LoggedArguments>& starts, const std::string& source) {
  const std::map<Key, double> batches = batches_of(rounds);
  std::vector<Key> keys;
  for (const DecodeRound& round : rounds) {
    Key key = exact_key(round);
    key.batch = batches.at(key);
    keys.push_back(key);
  }
  part_by_context(rounds, keys);
  std::map<Key, std::vector<Placed>> groups;
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    groups[keys[i]].push_back({.round = &rounds[i],
                               .follows = i > 0 && keys[i - 1] == keys[i],
                               .leads = i + 1 < rounds.size() && keys[i + 1] == keys[i]});
  }
  std::vector<SpeedReading> readings;
  for (const auto& [key, placed] : groups) {
    const auto start = static_cast<std::size_t>(key.start);
    readings.push_back(reading_of(placed, start < starts.size() ? starts[start] : LoggedArguments{}));
    SpeedReading& reading = readings.back();
    reading.source =
        fmt::format("{}, {} window{}{}", source, reading.windows, reading.windows == 1 ? "" : "s",
                    reading.arguments.server.empty() ? "" : " of " + reading.arguments.server);
  }
  return readings;
}

}  // namespace ringside
