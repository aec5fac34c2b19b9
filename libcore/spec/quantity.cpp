#include "spec/quantity.hpp"

#include <fmt/format.h>

namespace ringside {

std::optional<Quantity> find_quantity(const TomlTable& table, std::string_view key, const Range& range) {
  const Origin common = table.find_name("origin", parse_origin).value_or(Origin::assumed);
  if (!table.holds_table(key)) {
    const auto value = table.find<double>(key, range);
    if (!value) return std::nullopt;
    return Quantity{.value = *value, .origin = common};
  }
  const TomlTable inner = table.table(key);
  Quantity quantity;
  quantity.value = inner.get<double>("value", range);
  quantity.origin = inner.find_name("origin", parse_origin).value_or(common);
  quantity.source = inner.find<std::string>("source").value_or("");
  const auto low = inner.find<double>("low", range);
  const auto high = inner.find<double>("high", range);
  if (!low && !high) return quantity;
  quantity.range = {low.value_or(quantity.value), high.value_or(quantity.value)};
  if (quantity.range->low > quantity.value || quantity.range->high < quantity.value) {
    throw inner.error("value", fmt::format("{} lies outside of its own range {} to {}", quantity.value,
                                           quantity.range->low, quantity.range->high));
  }
  return quantity;
}

}  // namespace ringside
