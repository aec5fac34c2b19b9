#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "spec/acceptance.hpp"
#include "spec/estimate/point.hpp"
#include "spec/estimate/prediction.hpp"
#include "spec/estimate/workload.hpp"

namespace ringside {

// All unknowns of a step, narrowed together by what was measured. Two components, the main one and the slow
// path (graphs lost with speculation), are fitted apart and weighted by their evidence. The same seed gives
// the same numbers on every machine.
class Posterior {
 public:
  static constexpr std::uint64_t kSeed = 20260901;

  // `acceptance`: for observations with speculation that have no length of their own.
  Posterior(ServerWorkload workload, std::vector<SpeedObservation> observations,
            std::optional<Acceptance> acceptance = {}, std::uint64_t seed = kSeed);
  ~Posterior();
  Posterior(Posterior&&) noexcept;
  Posterior& operator=(Posterior&&) noexcept;

  // Tokens a second of the whole server, main component. The second one needs a point with drafts.
  SpeedRange plain_tokens_s(const StepPoint& point) const;
  SpeedRange speculative_tokens_s(const StepPoint& point, const Acceptance& acceptance) const;
  SpeedRange step_ms(const StepPoint& point) const;

  // Against plain decoding at the same batch and context. Without an acceptance only break_even and the
  // plain speed are there.
  SpeedUp speed_up(const StepPoint& point, const std::optional<Acceptance>& acceptance) const;

  // The best of the points (one batch and context), as an index; none where plain decoding is. A larger
  // number of drafts wins only by more than the acceptance's band; ties go to the smaller.
  std::optional<std::size_t> best(std::span<const SpeedUp> choices, const Acceptance& acceptance) const;

  // Each observation beside the model; with `leave_out` each one also by the others (from three on).
  std::vector<ObservedSpeed> observed(bool leave_out = true) const;

  // Which unknown the speed-up at this point depends on most, the largest first.
  std::vector<Uncertainty> uncertainties(const StepPoint& point,
                                         const std::optional<Acceptance>& acceptance) const;

  double effective_draws() const;   // of the main component
  double slow_probability() const;  // after the observations, at the rows that were observed
  const ServerWorkload& workload() const;

  struct State;  // of its own files alone

 private:
  std::unique_ptr<State> state_;
};

}  // namespace ringside
