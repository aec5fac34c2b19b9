#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/heard_range.hpp"
#include "model/case.hpp"
#include "model/comparison.hpp"
#include "model/enum_names.hpp"
#include "model/field_range.hpp"
#include "model/interval.hpp"

namespace ringside {

enum class Status { pass, improve, regress, ambiguous, skipped, failed, timeout };

// Where a number comes from. Every number says what it is.
enum class Origin { measured, modelled, reported, assumed };

template <>
struct EnumNames<Status> {
  static constexpr std::string_view what = "status";
  static constexpr std::string_view names[] = {"pass",    "improve", "regress", "ambiguous",
                                               "skipped", "failed",  "timeout"};
};

template <>
struct EnumNames<Origin> {
  static constexpr std::string_view what = "origin";
  static constexpr std::string_view names[] = {"measured", "modelled", "reported", "assumed"};
};

std::string_view to_string(Status status);
std::string_view to_string(Origin origin);
Origin parse_origin(std::string_view text);  // throws UsageError that lists the valid names

// Order statistics of samples in ns, or a calculated time. A number that the samples can't give is absent.
struct Statistics {
  std::size_t samples = 0;
  double median_ns = 0;
  std::optional<Interval> interval95_ns;
  double min_ns = 0;
  std::optional<double> p90_ns;
  std::optional<double> p99_ns;
};

template <typename Fields>
void describe(Fields& fields, const Statistics*) {
  fields.record(
      "statistics",
      "Order statistics of the samples of all launches. A sample is one repetition: the slowest rank's "
      "time, divided by the calls in it.");
  fields.add("samples", &Statistics::samples, "How many.", ranges::kCount);
  fields.add("median_ns", &Statistics::median_ns, "Median.", ranges::kCallTime);
  fields.add("interval95_ns", &Statistics::interval95_ns,
             "Hull of the launches' 95 % intervals of the median; null below 6 samples in one of them.",
             ranges::kCallTime);
  fields.add("min_ns", &Statistics::min_ns, "Fastest sample.", ranges::kCallTime);
  fields.add("p90_ns", &Statistics::p90_ns, "90th percentile; null below 10 samples.", ranges::kCallTime);
  fields.add("p99_ns", &Statistics::p99_ns, "99th percentile; null below 100 samples.", ranges::kCallTime);
}

template <typename Fields>
void describe(Fields& fields, const HeardRange*) {
  fields.record("nccl_call", "The ranges of one name.");
  fields.add("name", &HeardRange::name, "Of the function.");
  fields.add("count", &HeardRange::count, "How often it was called.", ranges::kOneOrMore);
  fields.add("time_ns", &HeardRange::time_ns, "In all of these calls.", ranges::kElapsed);
}

// The samples of one launch (one fresh group of rank processes). A sample is one repetition: the slowest
// rank's time, divided by the calls in it.
struct LaunchSamples {
  int launch = 0;
  int calls_per_sample = 1;
  int samples_per_round = 1;
  std::vector<double> samples_ns;
  std::optional<double> first_call_ns;
  std::vector<HeardRange> nccl_calls = {};
  std::optional<double> floor_ns = {};
  std::optional<double> touch_ns = {};
  std::optional<Interval> touch_interval95_ns = {};
  std::vector<int> disturbed_rounds = {};
  std::optional<double> core_wait = {};
  std::optional<std::string> ran = {};
  int turn_group = 0;
};

template <typename Fields>
void describe(Fields& fields, const LaunchSamples*) {
  fields.record("launch", "The raw samples of one launch: one fresh group of rank processes.");
  fields.add("launch", &LaunchSamples::launch, "0, 1, ...", ranges::kCount);
  fields.add("calls_per_sample", &LaunchSamples::calls_per_sample, "Calls in a repetition.",
             ranges::kOneOrMore);
  fields.add("samples_per_round", &LaunchSamples::samples_per_round, "Repetitions in a round.",
             ranges::kOneOrMore);
  fields.add("samples_ns", &LaunchSamples::samples_ns, "Time of a call, round after round.", ranges::kTime);
  fields.add("first_call_ns", &LaunchSamples::first_call_ns,
             "The very first call after set-up, slowest rank.", ranges::kTime);
  fields
      .add("nccl_calls", &LaunchSamples::nccl_calls,
           "NCCL's own calls in the set-up and in that first call, as far as it marks them with NVTX ranges; "
           "the "
           "slowest rank of each. Empty where NCCL has no part or its ranges could not be read, as under a "
           "profiler (docs/profiling.md).")
      .since_minor(3);
  fields
      .add("floor_ns", &LaunchSamples::floor_ns, "What the link allowed at best, in this launch.",
           ranges::kElapsed)
      .since_minor(4);
  fields
      .add(
          "touch_ns", &LaunchSamples::touch_ns,
          "What writing the input before a call and reading the output behind it take alone: taken off every "
          "sample. Null where nothing was taken off.",
          ranges::kElapsed)
      .since_minor(5);
  fields
      .add("touch_interval95_ns", &LaunchSamples::touch_interval95_ns,
           "95 % interval of touch_ns, by which the interval of the time is wider.", ranges::kElapsed)
      .since_minor(5);
  fields
      .add("disturbed_rounds", &LaunchSamples::disturbed_rounds,
           "Rounds, from 0, in which ranks had to wait for their cores, or clocks moved. No winner is named "
           "by "
           "them; see docs/measuring.md.",
           ranges::kCount)
      .since_minor(5);
  fields
      .add(
          "core_wait", &LaunchSamples::core_wait,
          "Share of its turns in which a rank could have run and had no core, of the rank and the round that "
          "waited most; null: not known.",
          ranges::kProbability)
      .since_minor(5);
  fields
      .add(
          "ran", &LaunchSamples::ran,
          "The kernel that a strategy which stands for several took in this launch; null where it stands for "
          "itself.")
      .since_minor(5);
  fields
      .add("turn_group", &LaunchSamples::turn_group,
           "Rows of a size that have the same number here took turns in each round of the launch. Those with "
           "different numbers ran one after the other, for want of memory, and are not compared.",
           ranges::kCount)
      .since_minor(5);
}

// What verification did with a case; absent in a row that never got that far.
struct Verification {
  std::uint64_t calls = 0;
  std::uint64_t elements = 0;
  bool bitwise_across_ranks = false;
  std::uint64_t calls_in_a_row = 0;
  std::uint64_t timed_repetitions = 0;
};

template <typename Fields>
void describe(Fields& fields, const Verification*) {
  fields.record("verification", "What verification compared.");
  fields.add("calls", &Verification::calls, "Verified calls, all launches.", ranges::kCount);
  fields.add("elements", &Verification::elements, "Compared elements, all ranks and launches.",
             ranges::kCount);
  fields.add("bitwise_across_ranks", &Verification::bitwise_across_ranks,
             "Whether all ranks gave the same bits in every call.");
  fields
      .add("calls_in_a_row", &Verification::calls_in_a_row,
           "The most calls in a row, each with other data, whose outputs were all checked.", ranges::kCount)
      .since_minor(5);
  fields
      .add("timed_repetitions", &Verification::timed_repetitions,
           "Timed repetitions behind which the output, the input and the memory around both were checked.",
           ranges::kCount)
      .since_minor(5);
}

// How the ranks' GPUs were clocked right after the turns of a row.
struct ClockRecord {
  unsigned sm_mhz_min = 0;
  unsigned sm_mhz_max = 0;
  std::vector<std::string> held_by;
};

template <typename Fields>
void describe(Fields& fields, const ClockRecord*) {
  fields.record("clocks", "SM clocks of the ranks' GPUs right after the turns of a row.");
  fields.add("sm_mhz_min", &ClockRecord::sm_mhz_min, "The lowest.", ranges::kClock);
  fields.add("sm_mhz_max", &ClockRecord::sm_mhz_max, "The highest.", ranges::kClock);
  fields.add("held_by", &ClockRecord::held_by, "What held the clocks down at some time; empty: nothing.");
}

// What a late rank costs: one call, for which one rank comes `delay_ns` after the others.
struct SkewRecord {
  double delay_ns = 0;
  double others_ns = 0;
  double after_arrival_ns = 0;
};

template <typename Fields>
void describe(Fields& fields, const SkewRecord*) {
  fields.record("skew", "One call for which one rank comes late.");
  fields.add("delay_ns", &SkewRecord::delay_ns, "How late.", ranges::kElapsed);
  fields.add("others_ns", &SkewRecord::others_ns,
             "How long the others were in the call, their waiting included.", ranges::kElapsed);
  fields.add("after_arrival_ns", &SkewRecord::after_arrival_ns,
             "From the late rank's arrival to the end of its call.", ranges::kElapsed);
}

// What the rule for winners says of a row beside another one: in each of three launches or more the whole
// interval of the ratio lies beyond 1 %, on the same side.
enum class PairVerdict { faster, slower, undecided };

template <>
struct EnumNames<PairVerdict> {
  static constexpr std::string_view what = "verdict of a pair";
  static constexpr std::string_view names[] = {"faster", "slower", "undecided"};
};

// A row beside another row of its size, dtype and mode, over the rounds in which both had a turn.
struct RowRatio {
  std::string to;
  double ratio = 1;
  std::optional<Interval> interval95;
  int launches = 0;
  PairVerdict verdict = PairVerdict::undecided;
};

template <typename Fields>
void describe(Fields& fields, const RowRatio*) {
  fields.record("row_ratio",
                "A row beside another row of its size, dtype and mode, over the rounds in which both had a "
                "turn.");
  fields.add("to", &RowRatio::to, "The other row's strategy, '#2' and so on for further entries of the same.")
      .not_empty();
  fields.add("ratio", &RowRatio::ratio,
             "The other row's time by this one's, above 1 where this one is faster: median over launches of "
             "the median over rounds.",
             ranges::kRatio);
  fields.add("interval95", &RowRatio::interval95,
             "Hull of the launches' 95 % intervals of that ratio; null below 6 rounds in one of them.",
             ranges::kRatio);
  fields.add("launches", &RowRatio::launches, "In which both had turns.", ranges::kCount);
  fields.add("verdict", &RowRatio::verdict,
             "faster or slower: beyond 1 % in each of three launches or more, by the rule for winners; else "
             "undecided.");
}

// What was measured for a case.
struct Row {
  Case params;
  Status status = Status::skipped;
  Origin origin = Origin::measured;
  std::optional<Statistics> time;
  std::vector<LaunchSamples> launches;
  std::optional<double> algbw_gbps;
  std::optional<double> busbw_gbps;
  std::optional<double> floor_ns;
  std::optional<double> floor_uncertainty_ns = {};
  std::optional<double> of_floor;
  std::optional<Verification> verification;
  std::optional<InputState> input;
  std::optional<std::string> asked;
  std::optional<std::string> ran;
  std::optional<int> channels;
  std::optional<std::string> chosen_by;
  std::optional<std::string> setting;
  std::optional<ClockRecord> clocks;
  std::optional<SkewRecord> skew;
  std::optional<RowRatio> to_reference;
  std::optional<RowRatio> to_best_nccl;
  std::optional<Comparison> comparison;
  std::vector<std::string> findings;
};

// A number, word or text of a row is a column of CSV as well.
template <typename Fields>
void describe(Fields& fields, const Row*) {
  fields.record("row", "What was measured for a case.");
  fields.add("params", &Row::params, "Which case.");
  fields.add("status", &Row::status, "How the case went.");
  fields.add("origin", &Row::origin, "Where the numbers come from.");
  fields.add("time", &Row::time, "Of a call, over all launches; null where nothing was timed.");
  fields.add("algbw_gbps", &Row::algbw_gbps, "Algorithm bandwidth: bytes by median.", ranges::kRate);
  fields.add("busbw_gbps", &Row::busbw_gbps, "Bus bandwidth: algbw x 2(n-1)/n, of an alltoall x (n-1)/n.",
             ranges::kRate);
  fields.add(
      "floor_ns", &Row::floor_ns,
      "What the link allows at best, without the gap between the nodes of a graph (which was in it before "
      "schema 1.5.0); null where a part of it was not measured.",
      ranges::kModelledTime);
  fields
      .add("floor_uncertainty_ns", &Row::floor_uncertainty_ns,
           "How far the floor may be off; null where it was not measured.", ranges::kModelledTime)
      .since_minor(5);
  fields.add("of_floor", &Row::of_floor, "floor_ns by median_ns.", ranges::kRatio);
  fields.add("verification", &Row::verification, "Null in a row that never got that far.");
  fields.add("asked", &Row::asked, "The algorithm that was asked for, e.g. 'RING/LL'.");
  fields.add("ran", &Row::ran,
             "The kernel that the strategy took, or the algorithm that its library reported.");
  fields
      .add("channels", &Row::channels,
           "How many of its channels NCCL used for it, by its own report; null where it reported none, or "
           "launches differ.",
           ranges::kOneOrMore)
      .since_minor(5);
  fields
      .add("chosen_by", &Row::chosen_by,
           "What took it: 'built-in table fnv1a:...', a stored table's path and digest, 'trial', 'size'.")
      .since_minor(5);
  fields.add("input", &Row::input, "What the timed calls found in the caches; null where nothing was timed.")
      .since_minor(5);
  fields
      .add("setting", &Row::setting,
           "What the strategy sets for its library beside the algorithm, such as "
           "'NCCL_GRAPH_MIXING_SUPPORT=0'; null where it leaves all to the environment.")
      .since_minor(5);
  fields.add("clocks", &Row::clocks, "How the GPUs were clocked; null where there are none.");
  fields.add("skew", &Row::skew, "What a late rank costs; null unless it was asked for.");
  fields
      .add("to_reference", &Row::to_reference,
           "Beside nccl-auto, on the host device beside ring. Null in that row itself, and where the two had "
           "no turns in common.")
      .since_minor(5);
  fields
      .add("to_best_nccl", &Row::to_best_nccl,
           "Beside the fastest of NCCL's rows of the size. Null in that row itself, where NCCL has none, and "
           "where the two had no turns in common.")
      .since_minor(5);
  fields
      .add("comparison", &Row::comparison,
           "With an earlier measurement; the verdict is the status. Null where there was no comparison.")
      .since_minor(2);
  fields.add("findings", &Row::findings, "Ids of the findings about this row.");
  fields.add("launches", &Row::launches, "Raw samples.");
}

}  // namespace ringside
