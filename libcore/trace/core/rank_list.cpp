#include "trace/core/rank_list.hpp"

#include <numeric>

#include <fmt/format.h>

namespace ringside {

std::string format_ranks(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i;
    while (end + 1 < ranks.size() && ranks[end + 1] == ranks[end] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end == i ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end]);
    i = end + 1;
  }
  return text;
}

std::string format_ranks(int first, int last) {
  std::vector<int> ranks(static_cast<std::size_t>(last - first + 1));
  std::iota(ranks.begin(), ranks.end(), first);
  return format_ranks(ranks);
}

std::string ranks_text(const std::string& ranks) {
  return (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + ranks;
}

}  // namespace ringside
