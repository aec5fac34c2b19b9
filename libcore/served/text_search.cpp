#include "served/text_search.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace ringside {

TextSearch::TextSearch(std::vector<std::string> texts) : texts_(std::move(texts)), candidates_(65536) {
  if (texts_.empty()) throw InternalError("a text search without texts");
  shortest_ = 255;
  for (const std::string& text : texts_) shortest_ = std::min(shortest_, text.size());
  if (shortest_ < 2) throw InternalError("a text search for less than two bytes");
  // A block that occurs in no text lets the window move past it; one that ends a window must be looked at.
  shift_.fill(static_cast<std::uint8_t>(shortest_ - 1));
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    for (std::size_t at = 0; at + 2 <= shortest_; ++at) {
      const std::size_t key = block(texts_[i].data() + at);
      shift_[key] = std::min(shift_[key], static_cast<std::uint8_t>(shortest_ - 2 - at));
    }
    candidates_[block(texts_[i].data() + shortest_ - 2)].push_back(static_cast<std::uint16_t>(i));
  }
}

std::size_t TextSearch::find(std::string_view text, std::size_t from) const {
  std::size_t end = from + shortest_;  // of the window
  while (end <= text.size()) {
    const std::size_t key = block(text.data() + end - 2);
    const std::size_t step = shift_[key];
    if (step > 0) {
      end += step;
      continue;
    }
    const std::size_t start = end - shortest_;
    for (const std::uint16_t index : candidates_[key])
      if (text.compare(start, texts_[index].size(), texts_[index]) == 0) return start;
    ++end;
  }
  return std::string_view::npos;
}

}  // namespace ringside
