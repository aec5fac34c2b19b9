#include "sweep/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/errors.hpp"

namespace ringside {
namespace {

constexpr double kAsGood = 1.01;

bool is_candidate(std::string_view strategy) {
  return std::find(std::begin(kCustomCandidates), std::end(kCustomCandidates), strategy) !=
         std::end(kCustomCandidates);
}

// Medians of the candidates, by size and strategy.
using Medians = std::map<Bytes, std::map<std::string, double>>;

Medians medians_of(const Document& document, DType dtype, Mode mode) {
  Medians medians;
  for (const Row& row : document.rows) {
    const Case& params = row.params;
    if (!row.time || params.dtype != dtype || params.mode != mode || !is_candidate(params.strategy)) continue;
    medians[params.bytes].try_emplace(params.strategy, row.time->median_ns);
  }
  return medians;
}

std::vector<FastestAt> fastest_of(const Medians& medians) {
  std::vector<FastestAt> fastest;
  for (const auto& [bytes, times] : medians) {
    const auto best = std::min_element(times.begin(), times.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    std::string chosen = best->first;
    if (!fastest.empty()) {
      const auto before = times.find(fastest.back().strategy);
      if (before != times.end() && before->second <= kAsGood * best->second) chosen = before->first;
    }
    fastest.push_back({bytes, chosen});
  }
  return fastest;
}

}  // namespace

void request_tuning(SweepRequest& request, bool strategies_named) {
  if (request.device != DeviceKind::cuda) {
    throw UsageError(fmt::format("--tune is for device cuda; custom on device {} needs no table",
                                 to_string(request.device)));
  }
  if (!strategies_named)
    request.first().strategies.assign(std::begin(kCustomCandidates), std::end(kCustomCandidates));
}

CustomTable tuned_table(const Document& document, const SweepRequest& request) {
  CustomTable table;
  table.gpus = request.gpus;
  table.measured = document.started;
  for (const Mode mode : request.first().modes) {
    const std::vector<FastestAt> fastest =
        fastest_of(medians_of(document, request.first().dtypes.front(), mode));
    if (fastest.empty()) {
      throw EnvironmentError(fmt::format(
          "no table for custom: none of its strategies was measured in mode {}", to_string(mode)));
    }
    const std::vector<CustomChoice> choices = choices_from(mode, request.ranks, fastest);
    table.choices.insert(table.choices.end(), choices.begin(), choices.end());
  }
  return table;
}

}  // namespace ringside
