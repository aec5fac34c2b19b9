#include "spec/estimate/posterior.hpp"

#include <cmath>

#include "spec/estimate/normal.hpp"
#include "support/catch.hpp"
#include "unit/spec/estimate/planted.hpp"

using namespace ringside;
using namespace ringside::example;

namespace {

constexpr double kContext = 1024;

ServerWorkload server() {
  return published_workload(llama_8b(), "h100_sxm", 1, DraftKind::eagle3, "vllm@2026-03");
}

SpeedObservation seen(const StepPoint& point, double tokens_s, double length = 0) {
  SpeedObservation observation;
  observation.point = point;
  observation.tokens_s = tokens_s;
  if (length > 0) observation.length = length;
  observation.source = "test";
  return observation;
}

bool inside(const SpeedRange& estimate, double truth) {
  return estimate.low <= truth && truth <= estimate.high;
}

}  // namespace

TEST_CASE("a planted server is found from its plain speed and one speculative one") {
  const PlantedServer planted(
      server(), with({{StepUnknown::draft, 1.5}, {StepUnknown::verify, 1}, {StepUnknown::rest, -1}}));
  const Posterior nothing(server(), {});
  const Posterior posterior(server(), {planted.observe(plain_point(1, kContext), 1),
                                       planted.observe(chain_point(1, 3, kContext), 2.5)});
  for (const int drafts : {2, 4, 5}) {
    const StepPoint point = chain_point(1, drafts, kContext);
    const Acceptance acceptance = Acceptance::from_length(2.2, drafts);
    const SpeedUp answer = posterior.speed_up(point, acceptance);
    const double truth = planted.speedup(point, 2.2);
    CAPTURE(drafts, truth, answer.speedup->median);
    CHECK(answer.speedup->median == Catch::Approx(truth).epsilon(0.09));
    CHECK(inside(*answer.speedup, truth));
    CHECK(answer.speedup->width() < 0.75 * nothing.speed_up(point, acceptance).speedup->width());
  }
  CHECK(posterior.effective_draws() > 300);
}

TEST_CASE("curves over batch keep enough draws, and each speed is predicted by the others") {
  const PlantedServer planted(server(),
                              with({{StepUnknown::gemm, 1}, {StepUnknown::row, 1}, {StepUnknown::host, 1}}));
  std::vector<SpeedObservation> curve;
  NormalDraws noise(5);
  for (const int batch : {1, 2, 4, 8, 16, 32, 64, 128}) {
    curve.push_back(planted.observe(plain_point(batch, kContext), 1, std::exp(0.03 * noise.next())));
    curve.push_back(planted.observe(chain_point(batch, 3, kContext), 2.5, std::exp(0.03 * noise.next())));
  }
  const Posterior posterior(server(), curve);
  CHECK(posterior.effective_draws() >= 300);
  int held = 0;
  for (const ObservedSpeed& row : posterior.observed()) {
    REQUIRE(row.left_out);
    CHECK(row.left_out->median == Catch::Approx(row.measured).epsilon(0.2));
    held += inside(*row.left_out, row.measured) ? 1 : 0;
  }
  CHECK(held >= 14);
}

TEST_CASE("left out agrees with a fit that never saw the speed") {
  const PlantedServer planted(server(), with({{StepUnknown::draft, 1}, {StepUnknown::host, -1}}));
  const std::vector<SpeedObservation> all = {planted.observe(plain_point(1, kContext), 1),
                                             planted.observe(chain_point(1, 2, kContext), 2.1),
                                             planted.observe(chain_point(1, 5, kContext), 2.9)};
  const auto rows = Posterior(server(), all).observed();
  REQUIRE(rows[2].left_out);
  const Posterior without(server(), {all[0], all[1]});
  const SpeedRange step = without.step_ms(all[2].point);
  CHECK(rows[2].left_out->median == Catch::Approx(2.9e3 / step.median).epsilon(0.06));
  CHECK(Posterior(server(), {all[0], all[1]}).observed()[0].left_out == std::nullopt);  // fewer than three
}

// The two logs of one server: no model may turn 252 and 199 tok/s into a gain.
TEST_CASE("two measured speeds bind their point whatever the model says") {
  const Posterior posterior(
      server(), {seen(plain_point(8, kContext), 252), seen(chain_point(8, 3, kContext), 199, 2.4)});
  const SpeedUp answer = posterior.speed_up(chain_point(8, 3, kContext), Acceptance::from_length(2.4, 3));
  CHECK(answer.measured);
  CHECK(answer.speedup->median == Catch::Approx(199.0 / 252));
  CHECK(inside(*answer.speedup, 199.0 / 252));
  CHECK(answer.speedup->high < 0.85);
  CHECK(answer.verdict == SpeedVerdict::firm_loses);
  CHECK(answer.break_even.median == Catch::Approx(2.4 * 252 / 199).epsilon(1e-6));
  // 30K is another context: an observation there, no measured pair.
  CHECK_FALSE(posterior.speed_up(chain_point(8, 3, 30 * kContext), Acceptance::from_length(2.4, 3)).measured);
  CHECK_FALSE(posterior.speed_up(chain_point(8, 4, kContext), Acceptance::from_length(2.4, 4)).measured);
  CHECK_FALSE(posterior.speed_up(chain_point(16, 3, kContext), Acceptance::from_length(2.4, 3)).measured);
}

TEST_CASE("pairs of different contexts are not comparable") {
  const Posterior posterior(server(),
                            {seen(plain_point(8, 2000), 900), seen(chain_point(8, 3, 30000), 700, 2.4)});
  CHECK_FALSE(posterior.speed_up(chain_point(8, 3, 30000), Acceptance::from_length(2.4, 3)).measured);
  CHECK_FALSE(posterior.speed_up(chain_point(8, 3, 2000), Acceptance::from_length(2.4, 3)).measured);
}

TEST_CASE("a speed beyond the memory's is shown, not used, and opens the verdict") {
  const std::vector<SpeedObservation> possible = {seen(plain_point(1, kContext), 141),
                                                  seen(chain_point(1, 3, kContext), 244, 2.8)};
  std::vector<SpeedObservation> all = possible;
  all.push_back(seen(plain_point(8, kContext), 1e9));
  const Posterior posterior(server(), all);
  const auto rows = posterior.observed();
  CHECK(rows[0].impossible.empty());
  CHECK(rows[1].impossible.empty());
  CHECK(rows[2].impossible.find("at the data sheet's speed") != std::string::npos);
  const SpeedUp answer = posterior.speed_up(chain_point(1, 3, kContext), Acceptance::from_length(2.8, 3));
  CHECK(answer.verdict == SpeedVerdict::likely_pays);  // measured, but one of the speeds can't be
  const Posterior clean(server(), possible);
  CHECK(posterior.plain_tokens_s(plain_point(4, kContext)).median ==
        clean.plain_tokens_s(plain_point(4, kContext)).median);
  CHECK(clean.speed_up(chain_point(1, 3, kContext), Acceptance::from_length(2.8, 3)).verdict ==
        SpeedVerdict::firm_pays);
}

TEST_CASE("without speculation measured nothing is firm and the slow path stands beside") {
  const Posterior posterior(server(), {seen(plain_point(1, kContext), 141)});
  const SpeedUp answer =
      posterior.speed_up(chain_point(1, 3, kContext), Acceptance::from_marginals({0.9, 0.8, 0.7}));
  CHECK(answer.slow.probability == Catch::Approx(0.1));
  REQUIRE(answer.slow.speedup);
  CHECK(answer.slow.speedup->median < 0.5);
  CHECK(answer.speedup->low > 1);  // never smeared in
  CHECK(answer.pays < 0.95);
  CHECK(answer.verdict == SpeedVerdict::likely_pays);
}

TEST_CASE("the slow path's prior follows what is known of the server") {
  const auto prior = [](auto change) {
    ServerWorkload workload = server();
    change(workload);
    return Posterior(workload, {}).slow_probability();
  };
  CHECK(prior([](ServerWorkload&) {}) == Catch::Approx(0.10));
  CHECK(prior([](ServerWorkload& w) { w.graphs_proven = true; }) == Catch::Approx(0.03));
  CHECK(prior([](ServerWorkload& w) { w.layout.pp = 4; }) == Catch::Approx(0.30));
  CHECK(prior([](ServerWorkload& w) { w.other_vendor = true; }) == Catch::Approx(0.30));
  CHECK(prior([](ServerWorkload& w) { w.model.groups[0].attention = AttentionKind::linear; }) ==
        Catch::Approx(0.30));
  CHECK(prior([](ServerWorkload& w) { w.draft.kind = DraftKind::ngram; }) == Catch::Approx(0.30));
}

TEST_CASE("a server in the slow path is recognised from one speculative run") {
  const PlantedServer slow(server(), with({}), true);
  const Posterior posterior(
      server(), {slow.observe(plain_point(1, kContext), 1), slow.observe(chain_point(1, 3, kContext), 2.5)});
  CHECK(posterior.slow_probability() > 0.95);
  const StepPoint point = chain_point(1, 2, kContext);
  const SpeedUp answer = posterior.speed_up(point, Acceptance::from_length(2.1, 2));
  CHECK(answer.slow_seen);
  CHECK(answer.speedup->median < 0.7);
  CHECK(answer.verdict == SpeedVerdict::firm_loses);
  const PlantedServer kept(server(), with({}));
  CHECK(Posterior(server(),
                  {kept.observe(plain_point(1, kContext), 1), kept.observe(chain_point(1, 3, kContext), 2.5)})
            .slow_probability() < 0.01);
}

// One server: 1.5x at batch 4 (16 rows), 0.8x at batch 8 (32 rows).
TEST_CASE("beyond the rows that were seen nothing is firm") {
  const Posterior posterior(
      server(), {seen(plain_point(4, kContext), 500), seen(chain_point(4, 3, kContext), 900, 3.4)});
  const auto at = [&](int batch, int drafts) {
    return posterior.speed_up(chain_point(batch, drafts, kContext), Acceptance::from_length(3.4, 3));
  };
  CHECK(at(4, 3).verdict == SpeedVerdict::firm_pays);
  CHECK(at(4, 2).slow.probability < 0.01);
  CHECK(at(8, 3).slow.probability == Catch::Approx(0.06).margin(0.01));
  CHECK(at(16, 3).slow.probability == Catch::Approx(0.12).margin(0.01));
  for (const int batch : {5, 8, 16, 64}) CHECK(at(batch, 3).verdict != SpeedVerdict::firm_pays);
  CHECK(at(4, 7).verdict != SpeedVerdict::firm_pays);
  CHECK_FALSE(at(8, 3).doubts.empty());
}

TEST_CASE("an unknown acceptance gives the length to break even and no estimate") {
  const Posterior posterior(
      server(), {seen(plain_point(1, kContext), 141), seen(chain_point(1, 3, kContext), 244, 2.79)});
  const SpeedUp answer = posterior.speed_up(chain_point(1, 4, kContext), std::nullopt);
  CHECK_FALSE(answer.speedup);
  CHECK_FALSE(answer.tokens_s);
  CHECK(answer.verdict == SpeedVerdict::open);
  CHECK(answer.break_even.low > 1);
  CHECK(answer.break_even.high < 2.6);
  const double length = answer.break_even.median;
  const SpeedUp there = posterior.speed_up(chain_point(1, 4, kContext), Acceptance::from_length(length, 4));
  CHECK(there.speedup->median == Catch::Approx(1).margin(0.02));
}

TEST_CASE("speculation without its length is used only where an acceptance is given") {
  const std::vector<SpeedObservation> seen_speeds = {seen(plain_point(1, kContext), 141),
                                                     seen(chain_point(1, 3, kContext), 244)};
  const Posterior without(server(), seen_speeds);
  const Posterior with_length(server(), seen_speeds, Acceptance::from_length(2.79, 3));
  const Acceptance acceptance = Acceptance::from_length(2.79, 3);
  const StepPoint point = chain_point(1, 2, kContext);
  CHECK(with_length.speed_up(point, acceptance).speedup->width() <
        without.speed_up(point, acceptance).speedup->width());
}

TEST_CASE("a model that was not understood and an unknown GPU are wider and never firm") {
  ServerWorkload strange = server();
  strange.model.not_understood = {"'recurrence' is not known"};
  ServerWorkload elsewhere = server();
  elsewhere.gpu = "";
  elsewhere.memory_gbps = 3350;
  const auto answer = [](const ServerWorkload& workload) {
    const PlantedServer planted(server(), with({}));
    return Posterior(workload, {planted.observe(plain_point(1, kContext), 1),
                                planted.observe(chain_point(1, 4, kContext), 3.9)})
        .speed_up(chain_point(1, 3, kContext), Acceptance::from_length(3.6, 3));
  };
  CHECK(answer(server()).verdict == SpeedVerdict::firm_pays);
  for (const ServerWorkload& workload : {strange, elsewhere}) {
    const SpeedUp doubtful = answer(workload);
    CHECK(doubtful.verdict != SpeedVerdict::firm_pays);
    CHECK_FALSE(doubtful.doubts.empty());
    CHECK(doubtful.speedup->width() > answer(server()).speedup->width());
  }
}

TEST_CASE("a published acceptance is never firm by itself") {
  const PlantedServer planted(server(), with({}));
  const Posterior posterior(server(), {planted.observe(plain_point(1, kContext), 1),
                                       planted.observe(chain_point(1, 4, kContext), 3.9)});
  const Acceptance curve = Acceptance::preset("qwen3.5-397b-a17b");
  const SpeedUp answer = posterior.speed_up(chain_point(1, 3, kContext), curve);
  CHECK(answer.pays > 0.95);
  CHECK(answer.verdict == SpeedVerdict::likely_pays);
}

TEST_CASE("a larger number of drafts wins by more than the band, ties go to the smaller") {
  const Posterior posterior(server(), {});
  const Acceptance acceptance = Acceptance::from_marginals({0.8, 0.6, 0.45});
  const auto choice = [](int drafts, double speedup) {
    SpeedUp answer;
    answer.point = chain_point(1, drafts, kContext);
    answer.speedup = SpeedRange{speedup, 0.9 * speedup, 1.1 * speedup};
    return answer;
  };
  const std::vector<SpeedUp> tie = {choice(3, 1.51), choice(1, 1.2), choice(2, 1.5)};
  CHECK(posterior.best(tie, acceptance) == 2);
  const std::vector<SpeedUp> gain = {choice(1, 1.2), choice(2, 1.5), choice(3, 1.6)};
  CHECK(posterior.best(gain, acceptance) == 2);
  // Seven drafts stand on the rule behind three measured ones: 8 % of band.
  const std::vector<SpeedUp> far = {choice(3, 1.5), choice(7, 1.58)};
  CHECK(posterior.best(far, acceptance) == 0);
  const std::vector<SpeedUp> losing = {choice(1, 0.99), choice(2, 0.9)};
  CHECK(posterior.best(losing, acceptance) == std::nullopt);
  CHECK(posterior.best({}, acceptance) == std::nullopt);
}

TEST_CASE("what widens the answer most is speculation that nobody has run") {
  const Posterior posterior(server(), {seen(plain_point(1, kContext), 141)});
  const StepPoint point = chain_point(1, 5, kContext);
  const auto known = posterior.uncertainties(point, Acceptance::from_length(3, 5));
  CHECK(known.front().remedy.find("run speculation") != std::string::npos);
  double sum = 0;
  for (const Uncertainty& uncertainty : known) sum += uncertainty.share;
  CHECK(sum == Catch::Approx(1).margin(0.35));
  // A published curve of other prompts: the length is what is known least.
  const Posterior measured(
      server(), {seen(plain_point(1, kContext), 141), seen(chain_point(1, 5, kContext), 240, 3.3)});
  CHECK(measured.uncertainties(chain_point(1, 4, kContext), Acceptance::preset("kimi-k2.5")).front().input ==
        "acceptance length");
}

TEST_CASE("a sick allreduce that was measured explains the loss that a published one hides") {
  ServerWorkload story =
      published_workload(kimi_k2(), "rtx_pro_6000_server", 8, DraftKind::eagle3, "sglang@2026-03");
  const StepPoint point = chain_point(1, 3, 2048);
  const Acceptance acceptance = Acceptance::from_length(2.88, 3);
  const double healthy =
      Posterior(story, {seen(plain_point(1, 2048), 89)}).speed_up(point, acceptance).speedup->median;
  story.allreduce =
      collective_times({{14336, 30}, {28672, 100}, {57344, 197}, {114688, 250}}, Origin::measured, "here");
  const double sick =
      Posterior(story, {seen(plain_point(1, 2048), 89)}).speed_up(point, acceptance).speedup->median;
  CHECK(sick < 0.65 * healthy);
}

TEST_CASE("the same seed gives the same answer") {
  const std::vector<SpeedObservation> seen_speeds = {seen(plain_point(1, kContext), 141),
                                                     seen(chain_point(1, 3, kContext), 244, 2.79)};
  const auto answer = [&](std::uint64_t seed) {
    return Posterior(server(), seen_speeds, {}, seed)
        .speed_up(chain_point(1, 4, kContext), Acceptance::from_length(3, 4));
  };
  CHECK(answer(1).speedup->low == answer(1).speedup->low);
  CHECK(answer(1).pays == answer(1).pays);
  CHECK(answer(1).speedup->median == Catch::Approx(answer(2).speedup->median).epsilon(0.03));
}
