#include <cmath>

#include "spec/estimate/normal.hpp"
#include "support/catch.hpp"
#include "unit/spec/estimate/planted.hpp"

using namespace ringside;
using namespace ringside::example;

// Servers are drawn from the prior, measured with the misfit that the model claims, and asked for another
// point.
TEST_CASE("intervals hold as many simulated servers as they say") {
  const ServerWorkload workload =
      published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle3, "vllm@2026-03");
  constexpr int kServers = 40;
  constexpr double kMisfit = 0.07;
  NormalDraws random(11);
  int held_plain = 0;
  int held_speculative = 0;
  int firm = 0;
  int wrong = 0;
  for (int server = 0; server < kServers; ++server) {
    Standard unknowns;
    for (double& value : unknowns) value = random.next();
    const PlantedServer planted(workload, unknowns);
    const auto noise = [&](double sigma) { return std::exp(sigma * random.next()); };
    const double shared = noise(0.05);
    const SpeedObservation plain = planted.observe(plain_point(1, 1024), 1, noise(kMisfit));
    const SpeedObservation speculative = planted.observe(chain_point(1, 3, 1024), 2.2, shared * noise(0.05));
    const StepPoint asked = chain_point(1, 2, 1024);
    const Acceptance acceptance = Acceptance::from_length(1.9, 2);
    const double truth = planted.tokens_s(asked, 1.9, shared * noise(0.03)) / plain.tokens_s;
    const SpeedUp first = Posterior(workload, {plain}).speed_up(asked, acceptance);
    const SpeedUp second = Posterior(workload, {plain, speculative}).speed_up(asked, acceptance);
    held_plain += first.speedup->low <= truth && truth <= first.speedup->high ? 1 : 0;
    held_speculative += second.speedup->low <= truth && truth <= second.speedup->high ? 1 : 0;
    firm += second.verdict == SpeedVerdict::firm_pays || second.verdict == SpeedVerdict::firm_loses ? 1 : 0;
    wrong += (second.verdict == SpeedVerdict::firm_pays && truth < 1) ||
                     (second.verdict == SpeedVerdict::firm_loses && truth > 1)
                 ? 1
                 : 0;
  }
  CAPTURE(held_plain, held_speculative, firm, wrong);
  CHECK(held_plain >= 32);
  CHECK(held_speculative >= 32);
  CHECK(wrong <= 1);
}
