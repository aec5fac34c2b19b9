#pragma once

#include <map>
#include <utility>

#include "spec/estimate/evidence.hpp"
#include "spec/estimate/posterior.hpp"

namespace ringside {

// Draws of one component that predictions are made of.
struct Component {
  SampledPosterior sampled;
  std::vector<Draw> kept;                      // of equal weight
  std::vector<std::vector<double>> residuals;  // of the kept ones

  void thin(std::size_t each);  // keeps one of so many
};

struct Posterior::State {
  static constexpr std::size_t kKept = 1000;

  State(ServerWorkload work, std::vector<SpeedObservation> seen, std::optional<Acceptance> accepted,
        std::uint64_t first);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ServerWorkload workload;
  std::vector<SpeedObservation> observations;
  std::optional<Acceptance> acceptance;
  std::uint64_t seed;
  StepPricing pricing;
  UnknownPriors priors;
  Evidence evidence;
  Component main;
  Component slow;  // thinned where it is not what was seen; without speculation among the observations the
                   // main one's draws
  double slow_probability = 0;
  mutable std::map<std::pair<int, double>, SpeedRange>
      plain_speeds;           // by batch and context, as they are asked for
  std::vector<double> noise;  // standard normal, one a kept draw
  std::vector<double> other_noise;

  Component fit(bool slow_path) const;
  double prior_slow_probability() const;
  // At a point: larger ones beyond the largest rows that were seen.
  double slow_at(const StepPoint& point) const;
  bool beyond_seen_rows(const StepPoint& point) const;
  bool cliff_possible(const StepPoint& point) const;
  double seen_rows() const;
  bool slow_seen() const { return slow_probability > 0.5; }
  const Component& component(bool slow_path) const { return slow_path ? slow : main; }
  double effective_draws() const { return component(slow_seen()).sampled.effective_draws; }

  // Logarithms of steps a us of the kept draws, with the field's part. Plain ones are remembered, and the
  // last one with speculation.
  const std::vector<double>& log_rates(const StepPoint& point, bool slow_path) const;

  // One sigma of what the model misses in a speed-up, and in a speed.
  double ratio_misfit(const StepPoint& point) const;
  double speed_misfit(const StepPoint& point) const;
  bool doubtful() const;  // model or GPU not understood
  std::vector<std::string> doubts(const StepPoint& point, const std::optional<Acceptance>& accepted) const;

  struct MeasuredPair {
    double plain = 0;
    double speculative = 0;
    double sigma = 0;
    std::optional<double> length;
  };
  std::optional<MeasuredPair> measured_pair(const StepPoint& point) const;

 private:
  std::vector<double> make_log_rates(const StepPoint& point, bool slow_path) const;

  mutable std::map<std::pair<int, double>, std::vector<double>> plain_[2];
  mutable StepPoint last_[2];
  mutable std::vector<double> last_rates_[2];
};

// 5 %, 50 % and 95 %. Reorders the values.
SpeedRange estimate_of(std::vector<double>& values);

}  // namespace ringside
