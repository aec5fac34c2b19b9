#include "trace/core/log_launch.hpp"

namespace ringside {

std::optional<double> LoggedLaunch::seconds_to(const std::optional<LogTime>& moment) const {
  for (const LogTime& first : began)
    if (const auto seconds = seconds_between(first, moment)) return seconds;
  return std::nullopt;
}

}  // namespace ringside
