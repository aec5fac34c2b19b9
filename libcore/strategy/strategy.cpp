#include "strategy/strategy.hpp"

#include <fmt/format.h>

#include <string>

namespace ringside {

std::optional<Finding> Strategy::admit(const Case& params, const AdmissionContext& context) const {
  constexpr int kMostHostRanks = 16;
  if (params.ranks < 2) return not_admitted(params, "a collective needs at least 2 ranks");
  if (context.device == DeviceKind::host) {
    if (params.mode == Mode::graph) {
      return not_admitted(params, "the host device has no graphs", "use --mode eager");
    }
    if (params.ranks > kMostHostRanks) {
      return not_admitted(params, fmt::format("the host device takes at most {} ranks", kMostHostRanks));
    }
  }
  return std::nullopt;
}

Finding not_admitted(const Case& params, std::string reason, std::string remedy) {
  Finding finding;
  finding.kind = finding_kind("not-admitted");
  finding.subject = case_name(params);
  finding.message = std::move(reason);
  finding.remedy = std::move(remedy);
  return finding;
}

}  // namespace ringside
