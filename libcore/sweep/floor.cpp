#include "sweep/floor.hpp"

#include <algorithm>

namespace ringside {
namespace {

constexpr double kAgreedOnCuda = 0.1;
constexpr double kAgreedOnHost = 0.2;

}  // namespace

std::optional<Floor> floor_of(const Case& params, InputState input, const LinkLimits& limits) {
  if (!limits.one_way_latency_ns || !limits.bandwidth_gbps) return std::nullopt;
  if (params.device == DeviceKind::host && input != InputState::fresh) return std::nullopt;
  const double transfer_ns =  // bytes per ns = GB/s
      wire_share(params) * static_cast<double>(params.bytes.count) / *limits.bandwidth_gbps;
  const double time_ns = *limits.one_way_latency_ns + transfer_ns;
  const double agreed = params.device == DeviceKind::cuda ? kAgreedOnCuda : kAgreedOnHost;
  return Floor{time_ns, time_ns * std::max(agreed, limits.scatter)};
}

bool below(double time_ns, const Floor& floor) {
  return time_ns < floor.time_ns - floor.uncertainty_ns;
}

}  // namespace ringside
