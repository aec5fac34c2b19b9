#include "report/listing.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "report/render/wrap.hpp"

namespace ringside {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchemaName = "ringside.list";
constexpr const char* kSchemaVersion = "1.0.0";

std::string tag(const ListItem& item) {
  return item.facts.empty() ? "" : item.facts.front().second;
}

}  // namespace

std::string listing_text(std::span<const ListSection> sections, std::size_t width) {
  std::string text;
  for (const ListSection& section : sections) {
    std::size_t name_width = 0, tag_width = 0;
    for (const ListItem& item : section.items) {
      name_width = std::max(name_width, display_width(item.name));
      tag_width = std::max(tag_width, display_width(tag(item)));
    }
    if (!text.empty()) text += '\n';
    text += section.title + ":\n";
    for (const ListItem& item : section.items) {
      text += wrap("  " + pad(item.name, name_width) + "  " + pad(tag(item), tag_width) + "  ", item.summary,
                   width);
    }
  }
  return text;
}

std::string listing_json(std::span<const ListSection> sections) {
  Json document{{"schema", kSchemaName}, {"schema_version", kSchemaVersion}};
  for (const ListSection& section : sections) {
    Json items = Json::array();
    for (const ListItem& item : section.items) {
      Json entry{{"name", item.name}, {"summary", item.summary}};
      for (const auto& [key, value] : item.facts) entry[key] = value;
      items.push_back(std::move(entry));
    }
    document[section.title] = std::move(items);
  }
  return harmless_json(document.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

}  // namespace ringside
