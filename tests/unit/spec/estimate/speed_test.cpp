#include <chrono>
#include <iostream>

#include "support/catch.hpp"
#include "unit/spec/estimate/planted.hpp"

using namespace ringside;
using namespace ringside::example;

namespace {

template <typename Work>
double ms_of(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

// Asked for by name alone: it looks at the clock. An optimised build of one idle core: a verdict in 30 ms, a
// table of 168 cells in 60 ms.
TEST_CASE("time of a verdict, of leaving out and of a table", "[.benchmark]") {
  const ServerWorkload workload =
      published_workload(kimi_k2(), "h200_sxm", 8, DraftKind::eagle3, "sglang@0.5.9");
  const PlantedServer planted(workload, Standard{});
  std::vector<SpeedObservation> curve;
  for (const int batch : {1, 2, 4, 8, 16, 32, 64, 128}) {
    curve.push_back(planted.observe(plain_point(batch, 2048), 1));
    curve.push_back(planted.observe(chain_point(batch, 3, 2048), 2.4));
  }
  const Acceptance acceptance = Acceptance::from_length(2.4, 3);
  const StepPoint asked = chain_point(8, 3, 2048);
  const double verdict = ms_of([&] {
    Posterior(workload, {curve[6], curve[7]}).speed_up(asked, acceptance);
  });
  std::optional<Posterior> posterior;
  const double fit = ms_of([&] { posterior.emplace(workload, curve); });
  const double left_out = ms_of([&] { posterior->observed(); });
  double pays = 0;
  const double table = ms_of([&] {
    for (const int batch : {1, 2, 4, 8, 16, 32, 64})
      for (int drafts = 1; drafts <= 8; ++drafts)
        for (const double context : {1024.0, 4096.0, 16384.0})
          pays += posterior->speed_up(chain_point(batch, drafts, context), acceptance).pays;
  });
  std::cout << "verdict " << verdict << " ms, 16 observations " << fit << " ms with "
            << posterior->effective_draws() << " effective draws, left out " << left_out << " ms, table "
            << table << " ms\n";
  CHECK(pays > 0);
  CHECK(posterior->effective_draws() >= 300);
}
