#include "machine/gpu_state.hpp"

#include <array>

namespace ringside {
namespace {

struct ReasonName {
  std::uint64_t bit;
  const char* name;
};

// nvml.h: nvmlClocksEventReason* (earlier nvmlClocksThrottleReason*).
constexpr std::array kReasonNames = {
    ReasonName{0x4, "software power cap"},
    ReasonName{0x8, "hardware slowdown"},
    ReasonName{0x10, "sync boost"},
    ReasonName{0x20, "software thermal slowdown"},
    ReasonName{0x40, "hardware thermal slowdown"},
    ReasonName{0x80, "hardware power brake"},
};

}  // namespace

std::vector<std::string> clock_reason_names(std::uint64_t reasons) {
  std::vector<std::string> names;
  for (const ReasonName& reason : kReasonNames) {
    if ((reasons & reason.bit) != 0) names.emplace_back(reason.name);
  }
  return names;
}

}  // namespace ringside
