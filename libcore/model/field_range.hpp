#pragma once

#include <optional>
#include <string_view>

namespace ringside {

// The unit of a field's values and the range they lie in, both ends included; of a list, those of its
// elements.
struct FieldRange {
  std::string_view unit{};  // empty: a count or a share, or no number at all
  std::optional<double> least{};
  std::optional<double> most{};
};

namespace ranges {

inline constexpr FieldRange kAny{};
inline constexpr FieldRange kCount{.least = 0};
inline constexpr FieldRange kOneOrMore{.least = 1};
inline constexpr FieldRange kRanks{.least = 1, .most = 1024};
inline constexpr FieldRange kRatio{.least = 0};
inline constexpr FieldRange kProbability{.least = 0, .most = 1};
inline constexpr FieldRange kTime{.unit = "ns", .least = 0, .most = 6.048e14};  // a week at most
inline constexpr FieldRange kModelledTime{.unit = "ns", .least = 0};
inline constexpr FieldRange kSetting{.unit = "ns", .least = 0, .most = 6.048e14};            // a week at most
inline constexpr FieldRange kDuration{.unit = "s", .least = 0};                              // of a command
inline constexpr FieldRange kMessage{.unit = "bytes", .least = 1, .most = 281474976710656};  // 2^48
inline constexpr FieldRange kMemory{.unit = "bytes", .least = 0};
inline constexpr FieldRange kRate{.unit = "GB/s", .least = 0};
inline constexpr FieldRange kTokenRate{.unit = "tokens/s", .least = 0};
inline constexpr FieldRange kClock{.unit = "MHz", .least = 0};

}  // namespace ranges
}  // namespace ringside
