#pragma once

#include <optional>
#include <vector>

#include "spec/acceptance.hpp"
#include "spec/estimate/prediction.hpp"
#include "spec/estimate/sampler.hpp"
#include "spec/estimate/square_matrix.hpp"

namespace ringside {

// Expected tokens of a step at a point: of a tree by its candidates.
double expected_length(const Acceptance& acceptance, const StepPoint& point);

// The observations as a likelihood, and what the model does not hold: a misfit of every speed, part of which
// is a field over log2(batch) that observations shift; wider from three batches on.
class Evidence {
 public:
  // Holds references: workload, pricing and priors live longer. Observations that can't be (beyond a floor)
  // and those whose length is not known are left out.
  Evidence(const StepPricing& pricing, const UnknownPriors& priors,
           const std::vector<SpeedObservation>& observations, const std::optional<Acceptance>& acceptance);

  std::size_t size() const { return used_.size(); }
  bool has_speculation() const;

  // log(measured / predicted) of the used observations, by a draw.
  void residuals(const Draw& draw, bool slow, std::vector<double>& result) const;
  void whiten(std::vector<double>& residuals) const;

  struct Shift {
    double mean = 0;
    double sigma = 0;
  };
  // What the field adds to log(speed) at a point: weights of the residuals (not whitened) whose sum is its
  // mean, and the covariance of two points that is left.
  std::vector<double> shift_weights(const StepPoint& point) const;
  double shift_covariance(const StepPoint& one, const StepPoint& other) const;

  // Mean and sigma of a used observation's residual given the others'.
  Shift conditional(std::size_t used, const std::vector<double>& residuals) const;

  // Index of observation -> index among the used, or nothing.
  std::optional<std::size_t> used_index(std::size_t observation) const;
  // Why an observation was left out; empty where it is used.
  const std::string& impossible(std::size_t observation) const { return impossible_[observation]; }
  double fitted_log_speed(std::size_t used, const Draw& draw, bool slow) const;

 private:
  struct Used {
    std::size_t observation = 0;
    StepPoint point;
    StepTime time;
    double log_speed = 0;     // measured
    double log_tokens = 0;    // of a step, all sequences, times 1e6
    double length_sigma = 0;  // 0: the length was measured with the speed
    double sigma = 0.07;
  };

  std::string check(const StepPricing& pricing, const SpeedObservation& observation) const;
  double covariance(const StepPoint& one, const StepPoint& other) const;
  std::vector<double> covariances(const StepPoint& point) const;  // with the used ones
  void prepare();

  std::vector<Used> used_;
  std::vector<std::string> impossible_;
  bool field_ = false;
  SquareMatrix lower_{0};  // of the observations' covariance
  SquareMatrix inverse_{0};
};

}  // namespace ringside
