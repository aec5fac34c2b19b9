#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ringside {

// What `ringside list` shows of one thing.
struct ListItem {
  std::string name;
  std::string summary;
  std::vector<std::pair<std::string, std::string>>
      facts;  // text shows the value of the first beside the name
};

struct ListSection {
  std::string title;  // "strategies"
  std::vector<ListItem> items;
};

// In lines of at most `width` columns.
std::string listing_text(std::span<const ListSection> sections, std::size_t width);

// {"schema": "ringside.list", "schema_version": ..., "strategies": [{"name", "summary", facts...}], ...}
std::string listing_json(std::span<const ListSection> sections);

}  // namespace ringside
