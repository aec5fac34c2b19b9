#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "spec/estimate/fixed_times.hpp"
#include "spec/estimate/step_cost.hpp"

namespace ringside {

// What a step's time depends on and nobody knows beforehand. All are log-normal; `length` is a standard
// number that the acceptance's own sigma multiplies.
enum class StepUnknown : std::size_t {
  host,
  cpu,
  rest,
  gemm,
  experts,
  attention,
  repeat,
  compute,
  collectives,
  verify_collectives,
  verify,
  draft,
  draft_layer,
  row,
  sequence,
  length,
  slow_step,
  slow_draft
};

inline constexpr std::size_t kUnknowns = 18;

using Standard = std::array<double, kUnknowns>;  // standard normal numbers
using Draw = std::array<double, kUnknowns>;      // the unknowns themselves: us, or factors

std::string_view name_of(StepUnknown unknown);    // "host time of a draft step"
std::string_view remedy_of(StepUnknown unknown);  // what would narrow it most

// Medians and sigmas of all unknowns of a workload.
class UnknownPriors {
 public:
  UnknownPriors(const FixedTimes& times, const CostSigmas& sigmas, bool complex);

  Draw values(const Standard& standard) const;
  // Layers' fixed time of a pass, before the unknown factor.
  double rest_us(const ForwardCost& cost) const;

 private:
  void set(StepUnknown unknown, double median, double factor);

  std::array<double, kUnknowns> log_median_{};
  std::array<double, kUnknowns> sigma_{};
  double simple_us_ = 0;
  double complex_us_ = 0;
};

// A step's time by a draw, us. `slow`: graphs are lost where it speculates.
class StepTime {
 public:
  StepTime(const StepCost& cost, const UnknownPriors& priors);

  double us(const Draw& draw, bool slow) const;

 private:
  double forward_us(const ForwardCost& cost, double rest_us, const Draw& draw, double collectives) const;

  StepCost cost_;
  double rest_us_ = 0;
  double draft_rest_us_ = 0;
};

}  // namespace ringside
