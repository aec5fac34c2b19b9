#include <cmath>
#include <nlohmann/json.hpp>

#include "report/benchmark_name.hpp"
#include "report/sweep_view.hpp"
#include "report/writer.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

// What is no number would be null, which the format does not know.
void add(Json& measures, const char* name, std::optional<double> value,
         const std::optional<Interval>& interval = {}) {
  if (!value || !std::isfinite(*value)) return;
  Json metric = {{"value", *value}};
  if (interval && std::isfinite(interval->low)) metric["lower_value"] = interval->low;
  if (interval && std::isfinite(interval->high)) metric["upper_value"] = interval->high;
  measures[name] = std::move(metric);
}

// Bencher knows latency, in ns; other measures are made when they first come.
class BmfWriter final : public Writer {
 public:
  std::string_view name() const override { return "bmf"; }
  std::string_view summary() const override { return "Bencher Metric Format: latency and bus bandwidth"; }
  std::string render(const Document& document, const RenderOptions&) const override {
    Json benchmarks = Json::object();
    for (const Row& row : document.rows) {
      if (!has_result(&row)) continue;
      Json measures = Json::object();
      add(measures, "latency", row.time->median_ns, row.time->interval95_ns);
      add(measures, "bus-bandwidth-gbps", row.busbw_gbps);
      keep(benchmarks, benchmark_name(row.params), std::move(measures));
    }
    if (document.spec) {
      for (const SpecCandidate& candidate : document.spec->candidates) {
        Json measures = Json::object();
        add(measures, "step-ns", candidate.step_ns);
        add(measures, "tokens-per-second", candidate.tokens_s);
        keep(benchmarks, benchmark_name(candidate), std::move(measures));
      }
    }
    return benchmarks.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
  }

 private:
  static void keep(Json& benchmarks, std::string name, Json measures) {
    if (!measures.empty()) benchmarks.push_back({std::move(name), std::move(measures)});
  }
};

const RegisterWriter<BmfWriter> registered;

}  // namespace
}  // namespace ringside
