#include "sweep/floor.hpp"

#include <algorithm>

namespace ringside {
namespace {

constexpr double kMostScatter = 0.5;  // a limit that scatters more is not known
constexpr double kAgreedOnCuda = 0.1;
constexpr double kAgreedOnHost = 0.2;

}  // namespace

std::optional<Floor> floor_of(const Case& params, InputState input, const LinkLimits& limits) {
  if (!limits.one_way_latency_ns || !limits.bandwidth_gbps) return std::nullopt;
  if (params.device == DeviceKind::host && input != InputState::fresh) return std::nullopt;
  if (limits.scatter > kMostScatter) return std::nullopt;
  // A switch may add on the way, as NVLink's do: then a message comes in once, whatever the number of ranks.
  const double share =
      params.device == DeviceKind::host ? wire_share(params) : std::min(wire_share(params), 1.0);
  const double transfer_ns =  // bytes per ns = GB/s
      share * static_cast<double>(params.bytes.count) / *limits.bandwidth_gbps;
  const double time_ns = *limits.one_way_latency_ns + transfer_ns;
  const double agreed = params.device == DeviceKind::cuda ? kAgreedOnCuda : kAgreedOnHost;
  return Floor{time_ns, time_ns * std::max(agreed, limits.scatter)};
}

std::string why_no_floor(const LinkLimits& limits) {
  if (!limits.missing.empty()) return limits.missing;
  if (limits.scatter > kMostScatter) return "the measurement of the link scattered by more than half of it";
  return "the host's is that of fresh inputs, and these were warm (--input)";
}

bool below(double time_ns, const Floor& floor) {
  return time_ns < floor.time_ns - floor.uncertainty_ns;
}

}  // namespace ringside
