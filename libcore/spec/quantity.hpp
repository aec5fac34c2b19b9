#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/row.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {

// A number with its origin, and the range that it may lie in when it is not known better.
struct Quantity {
  double value = 0;
  Origin origin = Origin::assumed;
  std::optional<Interval> range{};
  std::string source{};

  double low() const { return range ? range->low : value; }
  double high() const { return range ? range->high : value; }
};

// The number `key` of a table: `key = 3`, or `key = { value = 3, low = 2, high = 4, origin = "reported",
// source = "..." }`. Without an origin of its own it has the table's (key `origin`), else it is assumed.
// Throws UsageError with the place.
std::optional<Quantity> find_quantity(const TomlTable& table, std::string_view key, const Range& range);

}  // namespace ringside
