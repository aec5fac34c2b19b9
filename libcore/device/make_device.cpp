#include "device/make_device.hpp"

#include "base/errors.hpp"
#include "device/host/host_device.hpp"

namespace ringside {

std::unique_ptr<RankDevice> make_device(DeviceKind kind, Exchange& exchange, Bytes arena,
                                        const std::vector<int>& cores) {
  if (kind == DeviceKind::host) {
    const auto rank = static_cast<std::size_t>(exchange.rank());
    return make_host_device(exchange, arena, rank < cores.size() ? std::optional(cores[rank]) : std::nullopt);
  }
  throw EnvironmentError("this build has no device " + std::string(to_string(kind)));
}

}  // namespace ringside
