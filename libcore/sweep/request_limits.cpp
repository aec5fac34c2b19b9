#include "sweep/request_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

std::vector<double> parse_load(const std::string& text) {
  std::vector<double> shares;
  double total = 0;
  for (const std::string& part : split(text, ',')) {
    const std::string_view word = trim(part);
    double share = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), share);
    if (problem != std::errc{} || end != word.data() + word.size() || !(share >= 0 && share <= 1e9))
      throw UsageError(fmt::format("a load is a list of shares from 0 on, such as 3,1, not '{}'", text));
    total += share;
    shares.push_back(share);
  }
  if (total <= 0) throw UsageError("a load can't be 0 for every rank");
  return shares;
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
  std::size_t cases = 0;
  for (const CaseSet& set : request.cases)
    cases += set.sizes.size() * set.dtypes.size() * set.modes.size() * set.strategies.size();
  if (cases > kMaxCases)
    throw UsageError(
        fmt::format("the sweep would have {} cases, at most {} can be run at once", cases, kMaxCases));
}

}  // namespace ringside
