#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

// What is no number would be null, which the format does not know.
Json metric(const Measure& measure) {
  Json metric = {{"value", measure.value}};
  if (const auto& interval = measure.interval) {
    if (std::isfinite(interval->low)) metric["lower_value"] = interval->low;
    if (std::isfinite(interval->high)) metric["upper_value"] = interval->high;
  }
  return metric;
}

// Bencher knows latency, in ns; other measures are made when they first come.
class BmfRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "bmf"; }
  std::string_view summary() const override { return "Bencher Metric Format: latency and bus bandwidth"; }
  ViewRequest request(const RenderOptions&) const override { return {.benchmarks = true}; }
  std::string render_view(const View& view, const RenderOptions&) const override {
    Json benchmarks = Json::object();
    for (const Benchmark& benchmark : view.benchmarks) {
      Json measures = Json::object();
      for (const Measure& measure : benchmark.measures) {
        if (std::isfinite(measure.value)) measures[measure.name] = metric(measure);
      }
      if (!measures.empty()) benchmarks.push_back({benchmark.name, std::move(measures)});
    }
    return harmless_json(benchmarks.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
  }
};

const RegisterWriter<BmfRenderer> registered;

}  // namespace
}  // namespace ringside
