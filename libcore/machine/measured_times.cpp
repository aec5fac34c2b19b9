#include "machine/measured_times.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "stats/order.hpp"

namespace ringside {
namespace {

constexpr std::string_view kServerStrategy = "nccl-auto";

std::string gpu_of(const Document& document) {
  for (const auto& [key, value] : document.machine.facts)
    if (key == "gpu0_name") return value;
  return "";
}

bool same_series(const MeasuredTimes& times, const Case& params) {
  return times.collective == params.collective && times.strategy == params.strategy &&
         times.mode == params.mode && times.ranks == params.ranks && times.dtype == to_string(params.dtype);
}

}  // namespace

std::vector<MeasuredTimes> times_of(const Document& document, const std::string& origin) {
  std::vector<MeasuredTimes> series;
  for (const Row& row : document.rows) {
    const Case& params = row.params;
    if (row.status != Status::pass || !row.time || row.origin != Origin::measured) continue;
    if (params.entry != 0 || !params.load.empty() || !(row.time->median_ns > 0)) continue;
    auto found = std::ranges::find_if(series, [&](const auto& times) { return same_series(times, params); });
    if (found == series.end()) {
      MeasuredTimes times;
      times.collective = params.collective;
      times.ranks = params.ranks;
      times.dtype = to_string(params.dtype);
      times.strategy = params.strategy;
      times.mode = params.mode;
      times.gpu = gpu_of(document);
      times.source = fmt::format("{}, {} {} {}, {} ranks", origin, times.strategy, times.dtype,
                                 to_string(params.mode), times.ranks);
      found = series.insert(series.end(), std::move(times));
    }
    found->us[static_cast<double>(params.bytes.count)] = row.time->median_ns / 1e3;
  }
  return series;
}

std::vector<MeasuredTimes> read_measured_times(const std::string& text, const std::string& origin) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  std::vector<MeasuredTimes> times;
  if (begin != std::string::npos && text[begin] == '{') {
    times = times_of(document_from_json(text, origin), origin);
    if (times.empty()) throw UsageError(origin + ": it holds no measured row");
    return times;
  }
  times = read_nccl_tests(text, origin);
  return times.empty() ? read_times_csv(text, origin) : times;
}

const MeasuredTimes* server_times(const std::vector<MeasuredTimes>& times, Collective collective, int ranks) {
  const MeasuredTimes* best = nullptr;
  // Smaller is better: known ranks, what NCCL chooses, graphs.
  const auto badness = [&](const MeasuredTimes& one) {
    return std::tuple{one.ranks != ranks, one.strategy != kServerStrategy, one.mode == Mode::eager};
  };
  for (const MeasuredTimes& one : times) {
    if (one.collective != collective || (one.ranks != 0 && one.ranks != ranks)) continue;
    if (best == nullptr || badness(one) < badness(*best)) best = &one;
  }
  return best;
}

}  // namespace ringside
