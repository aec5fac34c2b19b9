#pragma once

#include <vector>

#include "spec/estimate/posterior_state.hpp"
#include "unit/spec/estimate/published_rows.hpp"

// A server whose unknowns are known: what it would be measured with.
namespace ringside::example {

class PlantedServer {
 public:
  PlantedServer(ServerWorkload workload, const Standard& unknowns, bool slow = false)
      : state_(std::move(workload), {}, {}, 1), draw_(state_.priors.values(unknowns)), slow_(slow) {}

  double step_us(const StepPoint& point) const {
    return StepTime(state_.pricing.price(point), state_.priors).us(draw_, slow_);
  }

  // `length` 1 for plain decoding; `factor`: what a measurement adds.
  double tokens_s(const StepPoint& point, double length, double factor = 1) const {
    return factor * point.batch * length * 1e6 / step_us(point);
  }

  SpeedObservation observe(const StepPoint& point, double length, double factor = 1) const {
    SpeedObservation seen;
    seen.point = point;
    seen.tokens_s = tokens_s(point, length, factor);
    if (!point.plain()) seen.length = length;
    seen.source = "planted";
    return seen;
  }

  double speedup(const StepPoint& point, double length) const {
    return tokens_s(point, length) / tokens_s(plain_point(point.batch, point.context), 1);
  }

 private:
  Posterior::State state_;
  Draw draw_;
  bool slow_;
};

inline Standard with(std::initializer_list<std::pair<StepUnknown, double>> values) {
  Standard standard{};
  for (const auto& [unknown, value] : values) standard[static_cast<std::size_t>(unknown)] = value;
  return standard;
}

}  // namespace ringside::example
