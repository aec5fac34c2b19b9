#include "device_choice.hpp"

#include <fmt/format.h>

#include "base/build_info.hpp"
#include "base/errors.hpp"

namespace ringside {
namespace {

// Why ranks can't run on GPUs here.
std::string why_no_cuda() {
  return build_info().cuda_version.empty() ? "this binary was built without CUDA"
                                           : "this version has no strategies for GPUs";
}

}  // namespace

DeviceChoice choose_device(const std::string& asked) {
  if (asked == "auto") return {DeviceKind::host, fmt::format("{}; ranks run on CPU cores", why_no_cuda())};
  const DeviceKind kind = parse_device(asked);
  if (kind == DeviceKind::cuda) {
    throw EnvironmentError(
        fmt::format("--device cuda: {}; use --device host or --device model", why_no_cuda()));
  }
  return {kind, ""};
}

}  // namespace ringside
