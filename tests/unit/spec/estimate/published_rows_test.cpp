#include "unit/spec/estimate/published_rows.hpp"

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"

using namespace ringside;
using namespace ringside::example;

namespace {

constexpr double kContext = 700;

SpeedObservation plain_of(const PublishedBox& box) {
  return {plain_point(1, kContext), box.plain_tokens_s, {}, 0.02, box.source};
}

Acceptance acceptance_of(const PublishedRow& row) {
  const double width = (row.point.verify_rows - 1.0) / row.point.drafts;
  return Acceptance::from_length(std::min(row.length, row.point.drafts + 1.0), row.point.drafts)
      .with_width(width);
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

// The priors were set while these rows were seen: this holds what was reached, and is no blind test.
TEST_CASE("published speed-ups are predicted from the plain speed and the length") {
  std::vector<double> errors;
  int held = 0;
  for (const PublishedBox& box : published_boxes()) {
    const Posterior posterior(box.workload, {plain_of(box)});
    for (const PublishedRow& row : box.rows) {
      const double truth = row.tokens_s / box.plain_tokens_s;
      const SpeedUp answer = posterior.speed_up(row.point, acceptance_of(row));
      CAPTURE(box.source, row.point.drafts, truth, answer.speedup->median);
      errors.push_back(std::abs(answer.speedup->median / truth - 1));
      held += answer.speedup->low <= truth && truth <= answer.speedup->high ? 1 : 0;
      CHECK(errors.back() < 0.25);
      CHECK(answer.verdict != SpeedVerdict::firm_loses);
      CHECK(answer.verdict != SpeedVerdict::firm_pays);  // one speculative run is missing
    }
  }
  CHECK(errors.size() == 17);
  CHECK(median_of(errors) < 0.13);
  CHECK(held >= 16);
}

TEST_CASE("published plain speeds lie in the interval that nothing but the version gives") {
  for (const PublishedBox& box : published_boxes()) {
    const SpeedRange plain = Posterior(box.workload, {}).plain_tokens_s(plain_point(1, kContext));
    CAPTURE(box.source, plain.median, box.plain_tokens_s);
    CHECK(plain.low <= box.plain_tokens_s);
    CHECK(box.plain_tokens_s <= plain.high);
    CHECK(plain.high / plain.low < 3);
  }
}

TEST_CASE("one speculative run predicts other numbers of drafts, firm and never wrong") {
  std::vector<double> errors;
  int firm = 0;
  for (const PublishedBox& box : published_boxes()) {
    for (const PublishedRow& seen : box.rows) {
      const Posterior posterior(box.workload,
                                {plain_of(box), {seen.point, seen.tokens_s, seen.length, 0.02, box.source}});
      for (const PublishedRow& row : box.rows) {
        if (row.point.drafts == seen.point.drafts) continue;
        const double truth = row.tokens_s / box.plain_tokens_s;
        const SpeedUp answer = posterior.speed_up(row.point, acceptance_of(row));
        CAPTURE(box.source, seen.point.drafts, row.point.drafts, truth, answer.speedup->median);
        errors.push_back(std::abs(answer.speedup->median / truth - 1));
        CHECK(answer.verdict != SpeedVerdict::firm_loses);
        CHECK(answer.effective_draws >= 300);
        firm += answer.verdict == SpeedVerdict::firm_pays ? 1 : 0;
      }
    }
  }
  std::ranges::sort(errors);
  CHECK(errors.size() == 48);
  CHECK(errors[errors.size() / 2] < 0.06);
  CHECK(errors[errors.size() * 9 / 10] < 0.15);
  CHECK(firm >= 34);  // 70 %
}
