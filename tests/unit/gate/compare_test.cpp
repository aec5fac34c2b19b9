#include "gate/compare.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/launches.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;
using test::LaunchedDocument;

namespace {

using Times = std::vector<double>;

const Times kQuiet = {100, 100.2, 100.4, 100.6, 100.8};

Times times(double factor) {
  Times scaled = kQuiet;
  for (double& time : scaled) time *= factor;
  return scaled;
}

ComparisonSide side(const LaunchedDocument& made, const std::string& file = "x.json") {
  return {made.document, {file}};
}

// One case with these launches on both sides.
Document compare_times(const Times& base, const Times& now,
                       const std::optional<Calibration>& calibration = std::nullopt) {
  LaunchedDocument old, fresh;
  old.row(2_KiB, base);
  fresh.row(2_KiB, now);
  return compare(side(old), side(fresh), calibration, Sides::apart, false);
}

// What becomes of a suspect when fresh launches come out as `again`.
Document confirmed(double first, double again, BaseLaunches launches) {
  Document result = compare_times(kQuiet, times(first));
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  fresh.row(2_KiB, times(again));
  confirm(result, old.document, fresh.document, launches, "again");
  conclude_comparison(result);
  return result;
}

}  // namespace

TEST_CASE("launches that are the same pass, slower ones are suspects, faster ones improve") {
  CHECK(compare_times(kQuiet, times(1.001)).rows[0].status == Status::pass);
  CHECK(compare_times(kQuiet, times(1.05)).rows[0].status == Status::regress);
  CHECK(compare_times(kQuiet, times(0.95)).rows[0].status == Status::improve);
  CHECK(suspects(compare_times(kQuiet, times(1.05))) == std::vector<std::size_t>{0});
  CHECK(suspects(compare_times(kQuiet, times(0.95))).empty());
}

TEST_CASE("a change below 3 % is none, however certain") {
  const Document result = compare_times(kQuiet, times(1.02));
  CHECK(result.rows[0].comparison->stages[0].p_slower < 0.005);
  CHECK(result.rows[0].status == Status::pass);
}

TEST_CASE("an interval that reaches beyond the threshold is no pass") {
  const Document result = compare_times({97, 99, 100, 101, 103}, {97, 99, 100, 101, 103.5});
  CHECK(result.rows[0].status == Status::ambiguous);
  CHECK_THAT(result.rows[0].comparison->reason, ContainsSubstring("interval"));
}

TEST_CASE("the threshold is the largest of 3 %, the calibration and the scatter of the launches") {
  const Comparison quiet = *compare_times(kQuiet, kQuiet).rows[0].comparison;
  CHECK(quiet.threshold == 0.03);
  CHECK(quiet.threshold_origin == ThresholdOrigin::least);

  Calibration calibration;
  calibration.launches = 5;
  calibration.cases["allreduce ring 0 host eager 2048 bf16 2 "] = {{0.08}, {100e3}, {0}};
  const Document judged = compare_times(kQuiet, times(1.06), calibration);
  CHECK(judged.rows[0].comparison->threshold == 0.08);
  CHECK(judged.rows[0].comparison->threshold_origin == ThresholdOrigin::calibration);
  CHECK(judged.rows[0].status == Status::pass);
  CHECK(compare_times(kQuiet, times(1.1), calibration).rows[0].status == Status::regress);

  const Comparison noisy =
      *compare_times({80, 90, 100, 110, 120}, {80, 90, 100, 110, 120}).rows[0].comparison;
  CHECK(noisy.threshold > 0.2);
  CHECK(noisy.threshold_origin == ThresholdOrigin::scatter);
}

TEST_CASE("a suspect counts when fresh launches are slower again") {
  const Document again = confirmed(1.05, 1.05, BaseLaunches::fresh);
  CHECK(again.rows[0].status == Status::regress);
  CHECK(again.rows[0].comparison->stages.size() == 2);
  REQUIRE(again.find("regression:ring 2K bf16 eager") != nullptr);
  CHECK(gate_exit_code(again, FailOn::regress) == ExitCode::regression);

  const Document once = confirmed(1.05, 1.0, BaseLaunches::fresh);
  CHECK(once.rows[0].status == Status::ambiguous);
  CHECK(gate_exit_code(once, FailOn::regress) == ExitCode::ok);
  CHECK(gate_exit_code(once, FailOn::ambiguous) == ExitCode::inconclusive);
}

TEST_CASE("base launches that were seen before must be beaten by more") {
  CHECK(confirmed(1.04, 1.04, BaseLaunches::fresh).rows[0].status == Status::regress);
  CHECK(confirmed(1.04, 1.04, BaseLaunches::seen).rows[0].status == Status::ambiguous);
  CHECK(confirmed(1.05, 1.05, BaseLaunches::seen).rows[0].status == Status::regress);
}

TEST_CASE("without confirmation only what lies beyond twice the threshold counts") {
  Document small = compare_times(kQuiet, times(1.05));
  leave_unconfirmed(small, "why");
  CHECK(small.rows[0].status == Status::ambiguous);
  CHECK(small.comparison->confirmation == "why");
  Document large = compare_times(kQuiet, times(1.08));
  leave_unconfirmed(large, "why");
  CHECK(large.rows[0].status == Status::regress);
}

TEST_CASE("fresh launches without a time confirm nothing and acquit nobody") {
  const auto looked_again = [](double first) {
    Document result = compare_times(kQuiet, times(first));
    LaunchedDocument old, fresh;
    old.row(2_KiB, kQuiet);
    fresh.row(4_KiB, kQuiet);  // another case
    confirm(result, old.document, fresh.document, BaseLaunches::seen, "again");
    return result;
  };
  const Document large = looked_again(2.9);
  CHECK(large.rows[0].status == Status::regress);
  CHECK(large.rows[0].comparison->stages.size() == 1);
  CHECK(gate_exit_code(large, FailOn::regress) == ExitCode::regression);
  CHECK(looked_again(1.05).rows[0].status == Status::ambiguous);
}

TEST_CASE("too few fresh launches confirm nothing and acquit nobody") {
  for (const Times& few : {Times{100}, Times{100, 100.2}}) {
    Document result = compare_times(kQuiet, times(2.9));
    LaunchedDocument old, fresh;
    old.row(2_KiB, kQuiet);
    fresh.row(2_KiB, few);  // as fast as the base
    confirm(result, old.document, fresh.document, BaseLaunches::seen, "again");
    CHECK(result.rows[0].status == Status::regress);
    CHECK(result.rows[0].comparison->stages.size() == 1);
  }
}

TEST_CASE("a side of several files asks for the cases of all") {
  LaunchedDocument first, second;
  first.document.request = SweepRequest{};
  first.document.request->first().sizes = {2_KiB};
  second.document.request = first.document.request;
  second.document.request->first().sizes = {4_KiB};
  const ComparisonSide both =
      make_side({first.document, second.document, first.document}, {"a", "b", "c"}, false);
  REQUIRE(both.document.request->cases.size() == 2);
  CHECK(both.document.request->cases[1].sizes == std::vector<Bytes>{4_KiB});
}

TEST_CASE("a suspect of another time, on a machine whose times nobody knows, comes with a warning") {
  Calibration calibration;
  calibration.launches = 5;
  CalibratedCase& known = calibration.cases["allreduce ring 0 host eager 2048 bf16 2 "];
  known = {{0, 0, 0, 0, 0}, {100, 100, 100, 100, 100}, {50, 50, 50, 50, 50}};
  const auto warns = [](const Document& result) {
    return result.find("times-unknown:comparison") != nullptr;
  };
  CHECK(warns(compare_times(kQuiet, times(1.2))));
  CHECK_FALSE(warns(compare_times(kQuiet, kQuiet)));
  CHECK_FALSE(warns(compare_times(kQuiet, times(1.2), calibration)));
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  fresh.row(2_KiB, times(1.2));
  CHECK_FALSE(warns(compare(side(old), side(fresh), std::nullopt, Sides::in_turn, false)));
}

TEST_CASE("what is not known between times makes no change plainly none") {
  Calibration calibration;
  calibration.launches = 5;
  calibration.cases["allreduce ring 0 host eager 2048 bf16 2 "] = {
      {0.01, 0.01, 0.01}, {1000, 1200, 1100}, {50, 50, 50}};
  const Document result = compare_times(kQuiet, times(2), calibration);
  CHECK(result.rows[0].comparison->threshold > 1);
  CHECK(result.rows[0].status == Status::ambiguous);
  CHECK(result.find("times-unknown:comparison") != nullptr);
}

TEST_CASE("fewer than three launches a side decide nothing") {
  const Document result = compare_times({100, 101}, {200, 201, 202, 203, 204});
  CHECK(result.rows[0].status == Status::ambiguous);
  CHECK_THAT(result.rows[0].comparison->reason, ContainsSubstring("needs 3 launches"));
}

TEST_CASE("different machines are refused with the facts that differ, or shown without a verdict") {
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  fresh.row(2_KiB, times(2));
  fresh.document.machine.facts = {{"cpu", "Xeon"}, {"memory_available", "1 GiB"}};
  try {
    compare(side(old), side(fresh), std::nullopt, Sides::apart, false);
    FAIL("not refused");
  } catch (const UsageError& error) {
    CHECK_THAT(error.what(), ContainsSubstring("cpu: EPYC and Xeon"));
    CHECK_THAT(error.what(), !ContainsSubstring("memory_available"));
  }
  const Document shown = compare(side(old), side(fresh), std::nullopt, Sides::apart, true);
  CHECK(shown.rows[0].status == Status::ambiguous);
  CHECK(*shown.rows[0].comparison->stages[0].ratio == Catch::Approx(2));
  CHECK_FALSE(shown.comparison->judged);
}

TEST_CASE("a case is found by its parameters, wherever its row stands") {
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  old.row(4_KiB, times(3));
  fresh.row(4_KiB, times(3));
  fresh.row(2_KiB, kQuiet);
  for (const Row& row : compare(side(old), side(fresh), std::nullopt, Sides::apart, false).rows)
    CHECK(row.status == Status::pass);
}

TEST_CASE("cases of one side only, and those that failed, are said") {
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  old.row(4_KiB, kQuiet);
  old.row(8_KiB, kQuiet);
  old.row(16_KiB, {}).status = Status::failed;
  fresh.row(4_KiB, kQuiet).status = Status::failed;
  fresh.row(8_KiB, {});
  fresh.row(16_KiB, kQuiet);
  fresh.row(32_KiB, kQuiet);
  Document result = compare(side(old), side(fresh), std::nullopt, Sides::apart, false);
  conclude_comparison(result);
  REQUIRE(result.rows.size() == 5);
  CHECK(result.rows[0].status == Status::failed);
  CHECK(result.find("no-longer-works:ring 4K bf16 eager") != nullptr);
  CHECK(result.rows[1].status == Status::skipped);
  CHECK(result.find("no-longer-measured:new result") != nullptr);
  CHECK(result.rows[2].status == Status::improve);
  CHECK(result.rows[3].comparison->reason == "not in the base");
  CHECK(result.rows[4].comparison->reason == "not in the new result");
  CHECK(result.find("no-longer-measured:new result") != nullptr);
  CHECK(gate_exit_code(result, FailOn::regress) == ExitCode::regression);
  CHECK(gate_exit_code(result, FailOn::none) == ExitCode::ok);
}

TEST_CASE("a case of the base without a new time is never a pass") {
  LaunchedDocument old, skipped, missing, without_launches, empty;
  old.row(2_KiB, kQuiet);
  old.row(4_KiB, kQuiet);
  for (LaunchedDocument* fresh : {&skipped, &missing, &without_launches}) fresh->row(2_KiB, kQuiet);
  skipped.row(4_KiB, {}).status = Status::skipped;
  without_launches.row(4_KiB, {});
  for (const LaunchedDocument* fresh : {&skipped, &missing, &without_launches, &empty}) {
    Document result = compare(side(old), side(*fresh), std::nullopt, Sides::apart, false);
    conclude_comparison(result);
    CHECK(result.find("no-longer-measured:new result") != nullptr);
    for (const Row& row : result.rows)
      CHECK((row.status == Status::skipped) == row.comparison->stages.empty());
    CHECK(gate_exit_code(result, FailOn::regress) == ExitCode::inconclusive);
    CHECK(gate_exit_code(result, FailOn::ambiguous) == ExitCode::inconclusive);
    CHECK(gate_exit_code(result, FailOn::none) == ExitCode::ok);
  }
}

TEST_CASE("a case that an interrupted result has too few launches of is no pass") {
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  fresh.row(2_KiB, {100});
  fresh.document.complete = false;
  const auto code = [&] {
    return gate_exit_code(compare(side(old), side(fresh), std::nullopt, Sides::apart, false),
                          FailOn::regress);
  };
  CHECK(code() == ExitCode::inconclusive);
  fresh.document.complete = true;  // who asks for one launch gets no verdict, and knows
  CHECK(code() == ExitCode::ok);
}

TEST_CASE("a calibration that is wider than the change it should show lets nothing pass") {
  Calibration calibration;
  calibration.launches = 5;
  const auto judged = [&](double percentile) {
    calibration.cases["allreduce ring 0 host eager 2048 bf16 2 "] = {{percentile}, {100e3}, {0}};
    return compare_times(kQuiet, times(1.5), calibration).rows[0];
  };
  CHECK(judged(0.9).status == Status::pass);
  const Row wide = judged(1163);
  CHECK(wide.status == Status::ambiguous);
  CHECK_THAT(wide.comparison->reason, ContainsSubstring("judges nothing"));
}

TEST_CASE("launches without samples are no new time") {
  LaunchedDocument old, fresh;
  old.row(2_KiB, kQuiet);
  for (LaunchSamples& launch : fresh.row(2_KiB, kQuiet).launches) launch.samples_ns.clear();
  const Document result = compare(side(old), side(fresh), std::nullopt, Sides::apart, false);
  CHECK(gate_exit_code(result, FailOn::regress) == ExitCode::inconclusive);
}

TEST_CASE("a comparison in which nothing has a time on both sides is never a pass") {
  LaunchedDocument empty, failed, now;
  failed.row(2_KiB, {}).status = Status::failed;
  now.row(2_KiB, kQuiet);
  const auto code = [](const LaunchedDocument& old, const LaunchedDocument& fresh) {
    return gate_exit_code(compare(side(old), side(fresh), std::nullopt, Sides::apart, false),
                          FailOn::regress);
  };
  CHECK(code(empty, now) == ExitCode::inconclusive);
  CHECK(code(empty, empty) == ExitCode::inconclusive);
  CHECK(code(failed, failed) == ExitCode::inconclusive);
  CHECK(code(failed, now) == ExitCode::ok);  // it works again
}

TEST_CASE("fresh launches that scatter too much neither confirm a suspect nor rule it out") {
  Document result = compare_times(kQuiet, times(2));
  LaunchedDocument old, fresh;
  old.row(2_KiB, {100, 110, 250, 112, 98});
  fresh.row(2_KiB, times(2));
  confirm(result, old.document, fresh.document, BaseLaunches::fresh, "again");
  CHECK(result.rows[0].status == Status::ambiguous);
  CHECK_THAT(result.rows[0].comparison->reason, ContainsSubstring("nor rule it out"));
}

TEST_CASE("several files of a side are one set of launches") {
  LaunchedDocument first, second;
  first.row(2_KiB, {100, 101});
  first.document.rows.back().floor_ns = 50;
  second.row(2_KiB, {102, 103, 104});
  second.document.rows.back().floor_ns = 40;
  second.row(4_KiB, kQuiet);
  const ComparisonSide both = make_side({first.document, second.document}, {"a", "b"}, false);
  REQUIRE(both.document.rows.size() == 2);
  CHECK(both.document.rows[0].launches.size() == 5);
  CHECK(both.document.rows[0].launches.back().launch == 4);
  CHECK(both.document.rows[0].time->median_ns == 102e3);
  CHECK(both.document.rows[0].floor_ns == 40);  // the least, whatever the order

  second.document.machine.facts[0].second = "Xeon";
  CHECK_THROWS_AS(make_side({first.document, second.document}, {"a", "b"}, false), UsageError);
}

TEST_CASE("another table of custom is a difference of conditions, and the cases it changes are named") {
  const std::string built_in = "built-in table fnv1a:0123456789abcdef";
  const std::string stored = "/data/2x-GPU-a.toml fnv1a:fedcba9876543210";
  const auto made = [](const std::string& table, const std::string& of_small, const std::string& of_large) {
    LaunchedDocument document;
    for (const auto& [bytes, kernel] : {std::pair{2_KiB, of_small}, {1_MiB, of_large}}) {
      Row& row = document.row(bytes, kQuiet, "custom");
      row.ran = kernel;
      row.chosen_by = table;
    }
    return document;
  };
  const LaunchedDocument base = made(built_in, "custom-push", "custom-push");
  const auto compared = [&](const LaunchedDocument& now) {
    return compare(side(base), side(now), std::nullopt, Sides::apart, false);
  };

  const Document result = compared(made(stored, "custom-push", "custom-two-shot"));
  const Finding* conditions = result.find("conditions-differ:comparison");
  REQUIRE(conditions != nullptr);
  CHECK_THAT(conditions->message, ContainsSubstring("custom's table: " + built_in + " and " + stored));
  const Finding* kernel = result.find("ran-differs:custom");
  REQUIRE(kernel != nullptr);
  CHECK(kernel->severity == Severity::warning);
  REQUIRE(kernel->evidence.size() == 1);
  CHECK_THAT(kernel->evidence[0],
             ContainsSubstring("1M") && ContainsSubstring("custom-push and custom-two-shot"));
  CHECK(result.rows[0].findings.empty());
  CHECK(result.rows[1].findings == std::vector{kernel->id()});
  CHECK(result.rows[1].chosen_by == stored);

  // The same text in another place is the same table.
  const Document moved = compared(made("/other.toml fnv1a:0123456789abcdef", "custom-push", "custom-push"));
  CHECK(moved.find("conditions-differ:comparison") == nullptr);
  CHECK(moved.find("ran-differs:custom") == nullptr);
  // A trial that comes out otherwise is no other condition.
  const Document tried = compared(made("trial", "custom-push", "custom-two-shot"));
  CHECK(tried.find("conditions-differ:comparison") == nullptr);
  REQUIRE(tried.find("ran-differs:custom") != nullptr);
  CHECK(tried.find("ran-differs:custom")->severity == Severity::note);
}
