#include "spec/estimate/unknowns.hpp"

#include <cmath>

namespace ringside {
namespace {

constexpr double kUsPerMs = 1e3;

constexpr std::size_t at(Unknown unknown) {
  return static_cast<std::size_t>(unknown);
}

double value(const Draw& draw, Unknown unknown) {
  return draw[at(unknown)];
}

struct Text {
  std::string_view name;
  std::string_view remedy;
};

constexpr std::string_view kRunSpeculation = "run speculation once at this batch";
constexpr std::string_view kRunPlain = "run without speculation at this batch";

// In the order of Unknown.
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

std::string_view name_of(Unknown unknown) {
  return kTexts[at(unknown)].name;
}

std::string_view remedy_of(Unknown unknown) {
  return kTexts[at(unknown)].remedy;
}

void UnknownPriors::set(Unknown unknown, double median, double factor) {
  log_median_[at(unknown)] = std::log(median);
  sigma_[at(unknown)] = std::log(factor);
}

UnknownPriors::UnknownPriors(const FixedTimes& times, const CostSigmas& sigmas, bool complex)
    : simple_us_(times.simple_us.median), complex_us_(times.complex_us.median) {
  set(Unknown::host, times.host_ms.median * kUsPerMs, times.host_ms.factor);
  set(Unknown::cpu, 1, times.cpu_factor);
  set(Unknown::rest, 1, complex ? times.complex_us.factor : times.simple_us.factor);
  set(Unknown::gemm, 1, std::exp(sigmas.gemm));
  set(Unknown::experts, 1, std::exp(sigmas.experts));
  set(Unknown::attention, 1, std::exp(sigmas.attention));
  set(Unknown::repeat, times.repeat.median, times.repeat.factor);
  set(Unknown::compute, 1, times.compute_factor);
  set(Unknown::collectives, 1, std::exp(sigmas.collectives));
  set(Unknown::verify_collectives, 1, times.collectives_tie);
  set(Unknown::verify, times.verify_ms.median * kUsPerMs, times.verify_ms.factor);
  set(Unknown::draft, times.draft_ms.median * kUsPerMs, times.draft_ms.factor);
  set(Unknown::draft_layer, 1, times.draft_layer_factor);
  set(Unknown::row, times.row_ms.median * kUsPerMs, times.row_ms.factor);
  set(Unknown::sequence, times.sequence_ms.median * kUsPerMs, times.sequence_ms.factor);
  set(Unknown::slow_step, times.slow_step_ms.median * kUsPerMs, times.slow_step_ms.factor);
  set(Unknown::slow_draft, times.slow_draft_ms.median * kUsPerMs, times.slow_draft_ms.factor);
}

Draw UnknownPriors::values(const Standard& standard) const {
  Draw draw;
  for (std::size_t i = 0; i < kUnknowns; ++i) draw[i] = std::exp(log_median_[i] + sigma_[i] * standard[i]);
  draw[at(Unknown::length)] = standard[at(Unknown::length)];
  return draw;
}

double UnknownPriors::rest_us(const ForwardCost& cost) const {
  return simple_us_ * cost.simple_layers + complex_us_ * cost.complex_layers;
}

StepTime::StepTime(const StepCost& cost, const UnknownPriors& priors)
    : cost_(cost), rest_us_(priors.rest_us(cost.target)), draft_rest_us_(priors.rest_us(cost.draft)) {}

double StepTime::forward_us(const ForwardCost& cost, double rest_us, const Draw& draw,
                            double collectives) const {
  const double per_compute = 1 / value(draw, Unknown::compute);
  const double slower = per_compute - 1;
  double us = rest_us + value(draw, Unknown::gemm) * (cost.gemm.us + cost.gemm.compute_us * slower) +
              value(draw, Unknown::attention) * (cost.attention.us + cost.attention.compute_us * slower) +
              collectives * cost.collectives_us;
  double experts = 0;
  for (const ExpertCall& call : cost.experts) experts += call.us(value(draw, Unknown::repeat), per_compute);
  return us + value(draw, Unknown::experts) * experts;
}

double StepTime::us(const Draw& draw, bool slow) const {
  const double cpu = value(draw, Unknown::cpu);
  const double collectives = value(draw, Unknown::collectives);
  const double rest = value(draw, Unknown::rest);
  double us = cpu * value(draw, Unknown::host) + value(draw, Unknown::sequence) * cost_.batch;
  if (!cost_.speculative) {
    return us + forward_us(cost_.target, rest * rest_us_, draw, collectives);
  }
  us +=
      forward_us(cost_.target, rest * rest_us_, draw, collectives * value(draw, Unknown::verify_collectives));
  us += cpu * value(draw, Unknown::verify) + value(draw, Unknown::row) * cost_.rows;
  if (cost_.draft_steps > 0) {
    const double layer = rest * value(draw, Unknown::draft_layer) * draft_rest_us_;
    us += cost_.draft_steps *
          (cpu * value(draw, Unknown::draft) + forward_us(cost_.draft, layer, draw, collectives));
  }
  if (slow) us += value(draw, Unknown::slow_step) + cost_.draft_steps * value(draw, Unknown::slow_draft);
  return us;
}

}  // namespace ringside
