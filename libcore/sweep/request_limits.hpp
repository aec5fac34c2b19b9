#pragma once

#include <chrono>

#include "model/field_range.hpp"
#include "scenario/toml_reader.hpp"
#include "sweep/plan.hpp"

namespace ringside {

// What can be asked for at all, in scenarios and on the command line.
inline constexpr Range kRankLimits{2, 1024};
inline constexpr Range kHostRankLimits{2, 16};
inline constexpr Range kLaunchLimits{1, 100};
inline constexpr Range kRoundLimits{1, 100000};
inline constexpr Range kBudgetLimits_s{0.1, 7 * 24 * 3600.0};
inline constexpr Range kTimeoutLimits_s{0.1, 24 * 3600.0};
inline constexpr Range kSeedLimits{0, 9007199254740991};  // 2^53 - 1: every reader of JSON keeps it exact
inline constexpr Range kOpsLimits{1, 10000};
inline constexpr Range kSkewLimits_us{1, 100000};
inline constexpr Range kVerifyCallLimits{1, 10'000'000};
inline constexpr std::size_t kMaxCases = 10000;

// What a request asks for is what a Document can hold.
static_assert(kLaunchLimits.max == *ranges::kLaunches.most && kRoundLimits.max == *ranges::kRounds.most &&
              kOpsLimits.max == *ranges::kCalls.most && kRankLimits.max == *ranges::kRanks.most &&
              kBudgetLimits_s.max * 1e9 == *ranges::kSetting.most &&
              kTimeoutLimits_s.max * 1e9 == *ranges::kTurnTimeout.most &&
              kSkewLimits_us.max * 1e3 == *ranges::kSkew.most &&
              kVerifyCallLimits.max == *ranges::kVerifyCalls.most);

// What a measurement may take when nobody says: a sweep on each device, and a replay of run-spec.
inline constexpr std::chrono::seconds kHostBudget{50};
inline constexpr std::chrono::seconds kCudaBudget{87};
inline constexpr std::chrono::seconds kReplayBudget{25};

// A device by name, or "auto"; throws UsageError that names the nearest. Returns the name.
std::string parse_device_choice(const std::string& text);

// What timed calls find in the caches when nobody says: on a host fresh data, as a caller has them; on GPUs
// calls run back to back.
constexpr InputState default_input(DeviceKind device) {
  return device == DeviceKind::host ? InputState::fresh : InputState::warm;
}

// "2,1,1": shares, none negative, not all 0. Throws UsageError.
std::vector<double> parse_load(const std::string& text);

// Throws UsageError when the request is beyond what can be run: more ranks than the device takes, fewer
// rounds at most than at least, more cases than kMaxCases. What must fit together (sizes, dtypes, modes) is
// make_plan's.
void check_request(const SweepRequest& request);

}  // namespace ringside
