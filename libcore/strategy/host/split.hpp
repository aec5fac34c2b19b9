#pragma once

#include <algorithm>
#include <cstddef>

namespace ringside {

// Some elements of a message.
struct Elements {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Part `index` of `whole`, cut into `parts` of nearly the same size whose borders lie on multiples of `grain`
// elements from its beginning, so that two ranks don't write to one cache line. The last parts may be empty.
inline Elements split(Elements whole, int parts, int index, std::size_t grain) {
  const std::size_t grains = (whole.count + grain - 1) / grain;
  const auto border = [&](int part) {
    const std::size_t before = grains * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts);
    return std::min(before * grain, whole.count);
  };
  return {whole.first + border(index), border(index + 1) - border(index)};
}

// Elements of `size` bytes in a cache line.
constexpr std::size_t elements_per_line(std::size_t size) {
  return 64 / size;
}

}  // namespace ringside
