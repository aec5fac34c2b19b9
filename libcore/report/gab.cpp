#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/benchmark_name.hpp"
#include "report/sweep_view.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMs = 1e6;

Json of_row(const Row& row) {
  Json entry = {{"name", benchmark_name(row.params)}, {"unit", "ns"}, {"value", row.time->median_ns}};
  if (const auto& interval = row.time->interval95_ns;
      interval && std::isfinite(interval->high - interval->low))
    entry["range"] = fmt::format("± {:.0f}", (interval->high - interval->low) / 2);
  entry["extra"] = fmt::format("{} samples, {} launches, {}", row.time->samples, row.launches.size(),
                               to_string(row.origin));
  return entry;
}

Json of_candidate(const SpecCandidate& candidate) {
  return {{"name", benchmark_name(candidate)},
          {"unit", "ms per step"},
          {"value", candidate.step_ns / kMs},
          {"extra",
           fmt::format("{:.1f} tok/s, communication {}", candidate.tokens_s, to_string(candidate.origin))}};
}

// Times alone, as the tool takes either what should be small or what should be large.
class GabWriter final : public Writer {
 public:
  std::string_view name() const override { return "gab"; }
  std::string_view summary() const override {
    return "for github-action-benchmark: customSmallerIsBetter, times of all cases";
  }
  std::string render(const Document& document, const RenderOptions&) const override {
    Json entries = Json::array();
    for (const Row& row : document.rows) {
      if (has_result(&row)) entries.push_back(of_row(row));
    }
    if (document.spec) {
      for (const SpecCandidate& candidate : document.spec->candidates) {
        if (std::isfinite(candidate.step_ns)) entries.push_back(of_candidate(candidate));
      }
    }
    return entries.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  }
};

const RegisterWriter<GabWriter> registered;

}  // namespace
}  // namespace ringside
