#include "sweep/row_ratios.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/gpu_sweep.hpp"
#include "sweep/group_verdict.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::vector<Row*> rows_of(Document& document) {
  std::vector<Row*> rows;
  for (Row& row : document.rows) rows.push_back(&row);
  return rows;
}

}  // namespace

TEST_CASE("a row stands beside nccl-auto and beside the fastest of NCCL's rows") {
  GpuSweep sweep;
  sweep.time("nccl-auto", 2_KiB, 4);
  sweep.time("nccl-symmetric:nomix", 2_KiB, 2.4);
  sweep.time("custom", 2_KiB, 2);
  sweep.time("symmetric-lsa", 2_KiB, 1);  // with NCCL's device API, but no row of NCCL's
  note_ratios(rows_of(sweep.document));
  const auto& rows = sweep.document.rows;
  REQUIRE(rows[2].to_reference);
  CHECK(rows[2].to_reference->to == "nccl-auto");
  CHECK(rows[2].to_reference->ratio == Catch::Approx(2));
  CHECK(rows[2].to_reference->launches == 3);
  CHECK(rows[2].to_reference->verdict == PairVerdict::faster);
  REQUIRE(rows[2].to_reference->interval95);
  REQUIRE(rows[2].to_best_nccl);
  CHECK(rows[2].to_best_nccl->to == "nccl-symmetric:nomix");
  CHECK(rows[2].to_best_nccl->ratio == Catch::Approx(1.2));
  CHECK_FALSE(rows[0].to_reference);  // itself
  CHECK(rows[0].to_best_nccl->verdict == PairVerdict::slower);
  CHECK_FALSE(rows[1].to_best_nccl);  // itself
  CHECK(rows[3].to_best_nccl->to == "nccl-symmetric:nomix");
}

TEST_CASE("faster beyond 1 % in two launches of three, or in two launches alone, is not decided") {
  for (const bool few : {false, true}) {
    GpuSweep sweep;
    sweep.time("nccl-auto", 2_KiB, 4);
    Row& ours = sweep.time("custom", 2_KiB, 2);
    if (few) {
      ours.launches.pop_back();
    } else {
      for (double& sample : ours.launches[1].samples_ns) sample *= 2;
    }
    note_ratios(rows_of(sweep.document));
    REQUIRE(sweep.document.rows[1].to_best_nccl);
    CHECK(sweep.document.rows[1].to_best_nccl->verdict == PairVerdict::undecided);
    CHECK(sweep.document.rows[1].to_best_nccl->launches == (few ? 2 : 3));
  }
}

TEST_CASE("rows that took no turns with each other have no ratio, no winner and no tie") {
  GpuSweep sweep;
  sweep.time("nccl-auto", 2_KiB, 4);
  sweep.time("nccl-auto:nomix", 2_KiB, 2);
  for (LaunchSamples& launch : sweep.document.rows[1].launches) launch.turn_group = 1;
  note_ratios(rows_of(sweep.document));
  for (const Row& row : sweep.document.rows) {
    CHECK_FALSE(row.to_reference);
    CHECK_FALSE(row.to_best_nccl);
  }
  const GroupVerdict verdict = judge_rows({&sweep.document.rows[0], &sweep.document.rows[1]}, 3);
  CHECK_FALSE(verdict.winner);
  CHECK(verdict.tied.empty());
  CHECK(verdict.reason == "nccl-auto took no turns with nccl-auto:nomix, for want of memory");
}

TEST_CASE("on the host the reference is ring, and NCCL has no rows") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 2);
  sample.timed("custom", 2_KiB, 1);
  note_ratios(rows_of(sample.document));
  REQUIRE(sample.document.rows[1].to_reference);
  CHECK(sample.document.rows[1].to_reference->to == "ring");
  CHECK_FALSE(sample.document.rows[1].to_reference->interval95);  // three rounds in a launch
  CHECK_FALSE(sample.document.rows[1].to_best_nccl);
}
