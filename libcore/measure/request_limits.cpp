#include "measure/request_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

std::string parse_device_choice(const std::string& text) {
  const std::vector<std::string> names = {"auto", "host", "cuda", "model"};
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  throw UsageError(
      fmt::format("unknown device '{}'{}; valid: {}", text, did_you_mean(text, names), join(names, ", ")));
}

bool parse_cold_input(const std::string& text) {
  const std::vector<std::string> names = {"warm", "cold"};
  if (text == names[0] || text == names[1]) return text == names[1];
  throw UsageError(
      fmt::format("unknown input '{}'{}; valid: {}", text, did_you_mean(text, names), join(names, ", ")));
}

void check_request(const SweepRequest& request) {
  const Range& ranks = request.device == DeviceKind::host ? kHostRankLimits : kRankLimits;
  if (request.ranks < ranks.min || request.ranks > ranks.max) {
    throw UsageError(fmt::format("{} ranks: the {} device takes {} to {}", request.ranks,
                                 to_string(request.device), ranks.min, ranks.max));
  }
  if (request.min_rounds > request.max_rounds) {
    throw UsageError(fmt::format("{} rounds at least and {} at most contradict each other",
                                 request.min_rounds, request.max_rounds));
  }
  const std::size_t groups = request.sizes.size() * request.dtypes.size() * request.modes.size();
  const std::size_t cases = groups * request.strategies.size();
  if (cases > kMaxCases)
    throw UsageError(
        fmt::format("the sweep would have {} cases, at most {} can be run at once", cases, kMaxCases));
}

}  // namespace ringside
