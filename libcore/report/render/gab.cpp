#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

Json entry(const Benchmark& benchmark, const Measure& time) {
  Json entry = {{"name", benchmark.name}, {"unit", time.unit}, {"value", time.value / time.per_unit}};
  if (time.interval && std::isfinite(time.interval->high - time.interval->low))
    entry["range"] = fmt::format("± {:.0f}", (time.interval->high - time.interval->low) / time.per_unit / 2);
  entry["extra"] = benchmark.extra;
  return entry;
}

// Times alone, as the tool takes either what should be small or what should be large.
class GabRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "gab"; }
  std::string_view summary() const override {
    return "for github-action-benchmark: customSmallerIsBetter, times of all cases";
  }
  ViewRequest request(const RenderOptions&) const override { return {.benchmarks = true}; }
  std::string render_view(const View& view, const RenderOptions&) const override {
    Json entries = Json::array();
    for (const Benchmark& benchmark : view.benchmarks) {
      const auto time = std::ranges::find_if(benchmark.measures,
                                             [](const Measure& measure) { return !measure.unit.empty(); });
      if (time != benchmark.measures.end() && std::isfinite(time->value))
        entries.push_back(entry(benchmark, *time));
    }
    return harmless_json(entries.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
  }
};

const RegisterWriter<GabRenderer> registered;

}  // namespace
}  // namespace ringside
