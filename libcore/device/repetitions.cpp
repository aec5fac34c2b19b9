#include "device/repetitions.hpp"

#include <algorithm>
#include <cstring>

#include "stats/order.hpp"

namespace ringside {

std::vector<std::vector<double>> gather(Bootstrap& bootstrap, std::span<const double> mine) {
  const std::string_view bytes(reinterpret_cast<const char*>(mine.data()), mine.size_bytes());
  std::vector<std::vector<double>> all;
  for (const std::string& theirs : bootstrap.all_gather(bytes)) {
    std::vector<double>& numbers = all.emplace_back(theirs.size() / sizeof(double));
    if (!numbers.empty()) std::memcpy(numbers.data(), theirs.data(), numbers.size() * sizeof(double));
  }
  return all;
}

std::vector<double> slowest_of_ranks(Bootstrap& bootstrap, std::span<const double> mine) {
  std::vector<double> slowest(mine.begin(), mine.end());
  for (const std::vector<double>& theirs : gather(bootstrap, mine)) {
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], theirs.at(i));
  }
  return slowest;
}

double slowest_of_ranks(Bootstrap& bootstrap, double mine) {
  return slowest_of_ranks(bootstrap, std::span(&mine, 1)).front();
}

Fastest fastest(std::span<const double> times_ns) {
  constexpr std::size_t kStretches = 5;
  const std::size_t stretches = std::min(kStretches, times_ns.size());
  std::vector<double> bests;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t begin = times_ns.size() * i / stretches;
    const std::size_t end = times_ns.size() * (i + 1) / stretches;
    bests.push_back(*std::ranges::min_element(times_ns.subspan(begin, end - begin)));
  }
  const double best = *std::ranges::min_element(bests);
  return {best, best > 0 ? median(bests) / best - 1 : 0};
}

Fastest faster(const Fastest& a, const Fastest& b) {
  if (a.time_ns == 0 || b.time_ns == 0) return a.time_ns == 0 ? b : a;
  return b.time_ns < a.time_ns ? b : a;
}

}  // namespace ringside
