#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/heard_range.hpp"
#include "model/case.hpp"
#include "model/comparison.hpp"
#include "model/interval.hpp"

namespace ringside {

enum class Status { pass, improve, regress, ambiguous, skipped, failed, timeout };

// Where a number comes from. Every number says what it is.
enum class Origin { measured, modelled, reported, assumed };

std::string_view to_string(Status status);
std::string_view to_string(Origin origin);

// The value that `text` names; throws UsageError that lists the valid names and the nearest one.
Status parse_status(std::string_view text);
Origin parse_origin(std::string_view text);

// Order statistics of samples in ns. A number that the samples can't give is absent.
struct Statistics {
  std::size_t samples = 0;
  double median_ns = 0;
  std::optional<Interval>
      interval95_ns;  // hull of the launches' intervals of the median; absent below 6 samples
  double min_ns = 0;
  std::optional<double> p90_ns;  // absent below 10 samples
  std::optional<double> p99_ns;  // absent below 100 samples
};

// The samples of one launch (one fresh group of rank processes). A sample is one repetition: the slowest
// rank's time, divided by the calls in it.
struct LaunchSamples {
  int launch = 0;
  int calls_per_sample = 1;
  int samples_per_round = 1;  // samples_ns holds the rounds one after another
  std::vector<double> samples_ns;
  std::optional<double> first_call_ns;  // the very first call after set-up, slowest rank
  // NCCL's own calls in the set-up and in that first call, as far as it marks them with NVTX ranges; the
  // slowest rank of each. Empty where NCCL has no part or nobody could hear it (docs/profiling.md).
  std::vector<HeardRange> nccl_calls = {};
  std::optional<double> floor_ns = {};  // what the link allowed at best, in this launch
};

// What verification did with a case; absent in a row that never got that far.
struct Verification {
  std::uint64_t calls = 0;            // verified calls, all launches
  std::uint64_t elements = 0;         // compared elements, all ranks and launches
  bool bitwise_across_ranks = false;  // all ranks gave the same bits in every call
};

// How the ranks' GPUs were clocked right after the turns of a row.
struct ClockRecord {
  unsigned sm_mhz_min = 0;
  unsigned sm_mhz_max = 0;
  std::vector<std::string> held_by;  // what held the clocks down at some time; empty: nothing
};

// What a late rank costs: one call, for which one rank comes `delay_ns` after the others.
struct SkewRecord {
  double delay_ns = 0;
  double others_ns = 0;         // how long the others were in the call, their waiting included
  double after_arrival_ns = 0;  // from the late rank's arrival to the end of its call
};

struct Row {
  Case params;
  Status status = Status::skipped;
  Origin origin = Origin::measured;
  std::optional<Statistics> time;  // over all launches
  std::vector<LaunchSamples> launches;
  std::optional<double> algbw_gbps;  // bytes / median
  std::optional<double> busbw_gbps;  // algbw x 2(n-1)/n
  std::optional<double> floor_ns;    // what the link allows at best
  std::optional<double> of_floor;    // floor / median, 0..1
  std::optional<Verification> verification;
  std::optional<std::string> asked;      // e.g. "RING/LL"
  std::optional<std::string> ran;        // the kernel that the strategy took, or what its library reported
  std::optional<std::string> chosen_by;  // what took it: "built-in table fnv1a:…", "trial", "size"
  std::optional<ClockRecord> clocks;     // where there are GPUs
  std::optional<SkewRecord> skew;        // when it was asked for
  std::optional<Comparison> comparison;  // with an earlier measurement, when there was one
  std::vector<std::string> findings;     // ids
};

}  // namespace ringside
