#include "spec/estimate/unknowns.hpp"

#include <cmath>

namespace ringside {
namespace {

constexpr double kUsPerMs = 1e3;

constexpr std::size_t at(StepUnknown unknown) {
  return static_cast<std::size_t>(unknown);
}

double value(const Draw& draw, StepUnknown unknown) {
  return draw[at(unknown)];
}

struct Text {
  std::string_view name;
  std::string_view remedy;
};

constexpr std::string_view kRunSpeculation = "run speculation once at this batch";
constexpr std::string_view kRunPlain = "run without speculation at this batch";

// In the order of StepUnknown.
constexpr Text kTexts[kUnknowns] = {
    {"host time of a step", kRunPlain},
    {"speed of the host", kRunSpeculation},
    {"fixed time of a layer", kRunPlain},
    {"time of the matrices", kRunPlain},
    {"time of the experts", kRunSpeculation},
    {"time of attention", kRunPlain},
    {"how much a batch's routing repeats itself", kRunSpeculation},
    {"arithmetic limit", kRunSpeculation},
    {"time of the collectives", "measure the allreduces with probe-comm"},
    {"time of the verify pass's collectives", "measure the allreduces with probe-comm"},
    {"bookkeeping of a verify pass", kRunSpeculation},
    {"host time of a draft step", kRunSpeculation},
    {"fixed time of a draft layer", kRunSpeculation},
    {"time of a verified row", kRunSpeculation},
    {"time of a sequence", kRunPlain},
    {"acceptance length", "measure the acceptance length on your own prompts"},
    {"slow path, fixed time", kRunSpeculation},
    {"slow path, time of a draft step", kRunSpeculation},
};

}  // namespace

std::string_view name_of(StepUnknown unknown) {
  return kTexts[at(unknown)].name;
}

std::string_view remedy_of(StepUnknown unknown) {
  return kTexts[at(unknown)].remedy;
}

void UnknownPriors::set(StepUnknown unknown, double median, double factor) {
  log_median_[at(unknown)] = std::log(median);
  sigma_[at(unknown)] = std::log(factor);
}

UnknownPriors::UnknownPriors(const FixedTimes& times, const CostSigmas& sigmas, bool complex)
    : simple_us_(times.simple_us.median), complex_us_(times.complex_us.median) {
  set(StepUnknown::host, times.host_ms.median * kUsPerMs, times.host_ms.factor);
  set(StepUnknown::cpu, 1, times.cpu_factor);
  set(StepUnknown::rest, 1, complex ? times.complex_us.factor : times.simple_us.factor);
  set(StepUnknown::gemm, 1, std::exp(sigmas.gemm));
  set(StepUnknown::experts, 1, std::exp(sigmas.experts));
  set(StepUnknown::attention, 1, std::exp(sigmas.attention));
  set(StepUnknown::repeat, times.repeat.median, times.repeat.factor);
  set(StepUnknown::compute, 1, times.compute_factor);
  set(StepUnknown::collectives, 1, std::exp(sigmas.collectives));
  set(StepUnknown::verify_collectives, 1, times.collectives_tie);
  set(StepUnknown::verify, times.verify_ms.median * kUsPerMs, times.verify_ms.factor);
  set(StepUnknown::draft, times.draft_ms.median * kUsPerMs, times.draft_ms.factor);
  set(StepUnknown::draft_layer, 1, times.draft_layer_factor);
  set(StepUnknown::row, times.row_ms.median * kUsPerMs, times.row_ms.factor);
  set(StepUnknown::sequence, times.sequence_ms.median * kUsPerMs, times.sequence_ms.factor);
  set(StepUnknown::slow_step, times.slow_step_ms.median * kUsPerMs, times.slow_step_ms.factor);
  set(StepUnknown::slow_draft, times.slow_draft_ms.median * kUsPerMs, times.slow_draft_ms.factor);
}

Draw UnknownPriors::values(const Standard& standard) const {
  Draw draw;
  for (std::size_t i = 0; i < kUnknowns; ++i) draw[i] = std::exp(log_median_[i] + sigma_[i] * standard[i]);
  draw[at(StepUnknown::length)] = standard[at(StepUnknown::length)];
  return draw;
}

double UnknownPriors::rest_us(const ForwardCost& cost) const {
  return simple_us_ * cost.simple_layers + complex_us_ * cost.complex_layers;
}

StepTime::StepTime(const StepCost& cost, const UnknownPriors& priors)
    : cost_(cost), rest_us_(priors.rest_us(cost.target)), draft_rest_us_(priors.rest_us(cost.draft)) {}

double StepTime::forward_us(const ForwardCost& cost, double rest_us, const Draw& draw,
                            double collectives) const {
  const double per_compute = 1 / value(draw, StepUnknown::compute);
  const double slower = per_compute - 1;
  double us = rest_us + value(draw, StepUnknown::gemm) * (cost.gemm.us + cost.gemm.compute_us * slower) +
              value(draw, StepUnknown::attention) * (cost.attention.us + cost.attention.compute_us * slower) +
              collectives * cost.collectives_us;
  double experts = 0;
  for (const ExpertCall& call : cost.experts)
    experts += call.us(value(draw, StepUnknown::repeat), per_compute);
  return us + value(draw, StepUnknown::experts) * experts;
}

double StepTime::us(const Draw& draw, bool slow) const {
  const double cpu = value(draw, StepUnknown::cpu);
  const double collectives = value(draw, StepUnknown::collectives);
  const double rest = value(draw, StepUnknown::rest);
  double us = cpu * value(draw, StepUnknown::host) + value(draw, StepUnknown::sequence) * cost_.batch;
  if (!cost_.speculative) {
    return us + forward_us(cost_.target, rest * rest_us_, draw, collectives);
  }
  us += forward_us(cost_.target, rest * rest_us_, draw,
                   collectives * value(draw, StepUnknown::verify_collectives));
  us += cpu * value(draw, StepUnknown::verify) + value(draw, StepUnknown::row) * cost_.rows;
  if (cost_.draft_steps > 0) {
    const double layer = rest * value(draw, StepUnknown::draft_layer) * draft_rest_us_;
    us += cost_.draft_steps *
          (cpu * value(draw, StepUnknown::draft) + forward_us(cost_.draft, layer, draw, collectives));
  }
  if (slow)
    us += value(draw, StepUnknown::slow_step) + cost_.draft_steps * value(draw, StepUnknown::slow_draft);
  return us;
}

}  // namespace ringside
