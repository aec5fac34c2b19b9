#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/heard_range.hpp"
#include "device/rank_device.hpp"
#include "model/case.hpp"
#include "model/finding.hpp"
#include "protocol/verification.hpp"

namespace ringside {

// What the coordinator asks of every rank, in the order of a group's life. A slot is a case's place in its
// group.
struct BeginGroup {
  Bytes message;
  Bytes output;          // what a call may write
  std::size_t pool = 0;  // buffers for verification
  std::size_t cold_inputs =
      0;  // buffers that the timed calls read in turn, cold; 0: each case reads its own one, warm
  std::uint64_t seed = 0;  // of the data that timed and checked calls read; other data in each launch
};
struct Prepare {
  int slot = 0;
  Case params;
};

// The memory of each case begins on this border, so that entries of one strategy have the same layout in
// pages and caches: where buffers begin within a page alone makes 20 % on a host.
inline constexpr std::size_t kEntryAlignment = std::size_t{2} << 20;
struct Verify {
  int slot = 0;
  VerifyPlan plan;
};
struct CheckCalls {
  int slot = 0;
  CallPlan plan;
};
// What a repetition is made of.
enum class Timed {
  calls,  // the calls, one behind the other
  fresh,  // the same, with a producer before each and a consumer behind it
  touch   // the producers and consumers alone
};
struct Sample {
  int slot = 0;
  int calls = 1;        // in one repetition
  int repetitions = 1;  // timed
  bool warm_up = true;  // one more comes before and is dropped: it finds other candidates' data in the caches
  bool counts = true;   // false: to warm up, or to find out how many calls make a sample
  Timed timed = Timed::calls;
};
// What the range is called, in the domain "ringside".
inline constexpr const char* kProfilerRange = "capture";
// Opens or closes the range at which a profiler begins and ends its capture. All ranks are idle meanwhile.
struct ProfilerRange {
  bool open = false;
};
struct MeasureSkew {
  int slot = 0;
  std::chrono::nanoseconds delay{};  // of the last rank
  int repetitions = 1;
};
// One call of a step, and the idle time before it.
struct StepPart {
  int slot = 0;
  std::chrono::nanoseconds compute{};
};
// A whole step: its calls one behind the other, of whatever cases, as one workload.
struct SampleStep {
  std::vector<StepPart> parts;
  Mode mode = Mode::eager;
  std::chrono::nanoseconds skew{};  // idle time that the last rank has more of, before each call
  bool silent = false;              // without the calls: what the idle time takes alone
  int repetitions = 1;
};
struct MeasureLimits {
  Bytes message;
};
struct EndGroup {};

using Request = std::variant<BeginGroup, Prepare, Verify, CheckCalls, Sample, ProfilerRange, MeasureSkew,
                             SampleStep, MeasureLimits, EndGroup>;

std::string encode(const Request& request);
Request decode_request(const std::string& text);

// The answers. BeginGroup, ProfilerRange and EndGroup have none.
struct PrepareReply {
  double first_call_ns = 0;
  std::optional<std::string> unavailable;  // why this machine has no such way; nothing is prepared then
  std::optional<std::string> ran;  // StrategyChoice::ran, or PreparedCollective::report() (channels too)
  std::vector<HeardRange> nccl_calls = {};     // in the set-up and in the first call
  std::optional<std::string> chosen_by = {};   // StrategyChoice::chosen_by
  std::optional<Finding> choice_problem = {};  // StrategyChoice::problem
  std::optional<int> channels = {};
};
// What a rank's thread had of its core during one turn. Each is absent where the kernel does not tell.
struct TurnConditions {
  double wall_ns = 0;               // from before the first repetition until after the last one
  std::optional<double> cpu_ns;     // that the thread ran
  std::optional<double> waited_ns;  // that it could have run and had no core
  std::optional<double> spin_ns;    // host: of a fixed loop right before, as a measure of the clock
};
struct SampleReply {             // to Sample, MeasureSkew and SampleStep
  std::vector<double> times_ns;  // of each repetition on this rank, whole
  // To Sample alone: what the repetitions left wrong on this rank (RepetitionCheck).
  std::optional<std::string> wrong = {};
  std::optional<TurnConditions> conditions = {};
};

std::string encode(const PrepareReply& reply);
std::string encode(const SampleReply& reply);
std::string encode(const VerifyReply& reply);
std::string encode(const CallReply& reply);
std::string encode(const LinkLimits& reply);
void decode(const std::string& text, PrepareReply& reply);
void decode(const std::string& text, SampleReply& reply);
void decode(const std::string& text, VerifyReply& reply);
void decode(const std::string& text, CallReply& reply);
void decode(const std::string& text, LinkLimits& reply);

}  // namespace ringside
