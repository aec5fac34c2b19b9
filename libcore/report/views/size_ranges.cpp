#include "report/views/size_ranges.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace ringside {

std::string size_ranges(std::span<const Bytes> chosen, std::span<const Bytes> all) {
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < chosen.size();) {
    auto expected = std::ranges::find(all, chosen[first]);
    std::size_t end = first;
    while (end < chosen.size() && expected != all.end() && *expected == chosen[end]) {
      ++end;
      ++expected;
    }
    end = std::max(end, first + 1);
    if (end - first >= 3) {
      ranges.push_back(format_size(chosen[first]) + " to " + format_size(chosen[end - 1]));
    } else {
      for (std::size_t i = first; i < end; ++i) ranges.push_back(format_size(chosen[i]));
    }
    first = end;
  }
  return join(ranges, ", ");
}

}  // namespace ringside
