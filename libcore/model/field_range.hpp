#pragma once

#include <optional>
#include <string_view>

namespace ringside {

// The unit of a field's values and the range they lie in, both ends included unless it is open; of a list,
// those of its elements, and of a record, those of its numbers that have none of their own.
struct FieldRange {
  std::string_view unit{};  // empty: a count or a share, or no number at all
  std::optional<double> least{};
  std::optional<double> most{};
  bool open = false;  // of numbers: neither end is in the range

  bool bounded() const { return least || most; }
};

namespace ranges {

inline constexpr double kWhole = 9007199254740992;  // 2^53: up to there a double holds every whole number
inline constexpr double kExbibyte = 1152921504606846976;  // 2^60

inline constexpr FieldRange kAny{};                                 // of what is no number
inline constexpr FieldRange kNumber{.least = -1e18, .most = 1e18};  // of any meaning
inline constexpr FieldRange kCount{.least = 0, .most = kWhole};
inline constexpr FieldRange kOneOrMore{.least = 1, .most = kWhole};
inline constexpr FieldRange kVerifyCalls{.least = 0, .most = 1e7};
inline constexpr FieldRange kSeed{.least = 0, .most = 18446744073709551616.0};  // all of 64 bits
inline constexpr FieldRange kRanks{.least = 1, .most = 1024};
inline constexpr FieldRange kRatio{.least = 0, .most = 1e18};
inline constexpr FieldRange kShare{.least = 0, .most = 1e9};
inline constexpr FieldRange kProbability{.least = 0, .most = 1};
// Of a call: no call takes no time, and none takes an hour.
inline constexpr FieldRange kTime{.unit = "ns", .least = 0, .most = 3.6e12, .open = true};
// Of a call that was measured or calculated: a week at most. The reader holds what was measured to kTime.
inline constexpr FieldRange kCallTime{.unit = "ns", .least = 0, .most = 6.048e14, .open = true};
inline constexpr FieldRange kElapsed{.unit = "ns", .least = 0, .most = 3.6e12};         // may be none
inline constexpr FieldRange kModelledTime{.unit = "ns", .least = 0, .most = 6.048e14};  // a week at most
inline constexpr FieldRange kTimeDifference{.unit = "ns", .least = -6.048e14, .most = 6.048e14};
inline constexpr FieldRange kDuration{
    .unit = "s", .least = 0, .most = 3.2e7};  // of a command: a year at most
inline constexpr FieldRange kMoment{
    .unit = "s", .least = -3.2e7, .most = 3.2e7};  // clocks may be set meanwhile
inline constexpr FieldRange kMessage{.unit = "bytes", .least = 1, .most = 281474976710656};  // 2^48
inline constexpr FieldRange kMemory{.unit = "bytes", .least = 0, .most = kExbibyte};
inline constexpr FieldRange kMemoryLeft{.unit = "bytes", .least = -kExbibyte, .most = kExbibyte};
inline constexpr FieldRange kRate{.unit = "GB/s", .least = 0, .most = 1e9};
inline constexpr FieldRange kTokenRate{.unit = "tokens/s", .least = 0, .most = 1e15};
inline constexpr FieldRange kClock{.unit = "MHz", .least = 0, .most = 1e6};

// What a request may ask for (sweep/request_limits.hpp).
inline constexpr FieldRange kLaunches{.least = 1, .most = 100};
inline constexpr FieldRange kRounds{.least = 1, .most = 100000};
inline constexpr FieldRange kCalls{.least = 1, .most = 10000};
inline constexpr FieldRange kSetting{.unit = "ns", .least = 0, .most = 6.048e14};     // a week at most
inline constexpr FieldRange kTurnTimeout{.unit = "ns", .least = 0, .most = 8.64e13};  // a day at most
inline constexpr FieldRange kSkew{.unit = "ns", .least = 0, .most = 1e8};

}  // namespace ranges
}  // namespace ringside
