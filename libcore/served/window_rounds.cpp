#include "served/window_rounds.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace ringside {
namespace {

// A share is printed with one digit behind the point of its per cent: below this its rounding is over 5 %.
constexpr double kLeastShare = 0.01;

// The tokens of a sequence weigh as much as its rank is fast.
class WeightedMean {
 public:
  void add(const std::optional<double>& value, double weight) {
    if (!value) return;
    sum_ += *value * weight;
    weight_ += weight;
  }
  std::optional<double> mean() const { return weight_ > 0 ? std::optional(sum_ / weight_) : std::nullopt; }

 private:
  double sum_ = 0;
  double weight_ = 0;
};

std::optional<double> sum_of(std::span<const DecodeWindow> windows,
                             std::optional<double> DecodeWindow::*member) {
  double sum = 0;
  for (const DecodeWindow& window : windows) {
    if (!(window.*member)) return std::nullopt;
    sum += *(window.*member);
  }
  return sum;
}

std::vector<double> mean_rates(std::span<const DecodeWindow> windows) {
  std::vector<double> means;
  double weight = 0;
  for (const DecodeWindow& window : windows) {
    if (window.rates.empty()) continue;
    if (means.empty()) means.resize(window.rates.size());
    if (means.size() != window.rates.size()) return {};
    const double own = window.tokens_s.value_or(1);
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += own * window.rates[i];
    weight += own;
  }
  for (double& mean : means) mean /= weight;
  return means;
}

DecodeRound together(std::span<const DecodeWindow> windows, const std::optional<double>& pool) {
  DecodeRound round;
  round.start = windows.front().start;
  WeightedMean length, accept_rate;
  for (const DecodeWindow& window : windows) {
    round.ranks += window.ranks;
    round.speculative = round.speculative || window.speculative;
    round.prefilled = round.prefilled || window.prefilled;
    if (window.graph) round.graph = round.graph.value_or(true) && *window.graph;
    length.add(window.length, window.tokens_s.value_or(1));
    accept_rate.add(window.accept_rate, window.tokens_s.value_or(1));
  }
  round.running = sum_of(windows, &DecodeWindow::running);
  round.tokens_s = sum_of(windows, &DecodeWindow::tokens_s);
  round.kv_tokens = sum_of(windows, &DecodeWindow::kv_tokens);
  if (const auto share = sum_of(windows, &DecodeWindow::kv_share);
      !round.kv_tokens && pool && share && *share >= kLeastShare * static_cast<double>(windows.size()))
    round.kv_tokens = *share * *pool * (windows.size() == 1 ? windows.front().ranks : 1);
  round.length = length.mean();
  round.accept_rate = accept_rate.mean();
  round.rates = mean_rates(windows);
  return round;
}

void order_by_clock(std::vector<DecodeWindow>& windows) {
  const bool several =
      std::ranges::any_of(windows, [&](const auto& window) { return window.rank != windows.front().rank; });
  const bool timed = std::ranges::all_of(windows, [](const auto& window) { return window.clock > 0; });
  if (several && timed)
    std::ranges::stable_sort(windows, [](const DecodeWindow& a, const DecodeWindow& b) {
      return a.start != b.start ? a.start < b.start : a.clock < b.clock;
    });
}

}  // namespace

std::vector<DecodeRound> rounds_of(std::vector<DecodeWindow> windows,
                                   const std::vector<std::optional<double>>& pool_tokens) {
  std::vector<DecodeRound> rounds;
  if (windows.empty()) return rounds;
  order_by_clock(windows);
  std::set<int> heard;
  std::size_t begin = 0;
  const auto close = [&](std::size_t end) {
    if (begin == end) return;
    const auto start = static_cast<std::size_t>(windows[begin].start);
    rounds.push_back(together(std::span(windows).subspan(begin, end - begin),
                              start < pool_tokens.size() ? pool_tokens[start] : std::nullopt));
    heard.clear();
    begin = end;
  };
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i].start != windows[begin].start || heard.contains(windows[i].rank)) close(i);
    heard.insert(windows[i].rank);
  }
  close(windows.size());
  return rounds;
}

}  // namespace ringside
