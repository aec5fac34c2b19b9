#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "scenario/toml_reader.hpp"

namespace ringside {

// What options do with their values, as functions for OptionTable; the targets must outlive the parsing. All
// throw UsageError.

// A whole number in the range.
std::int64_t parse_integer(const std::string& text, const Range& range);

template <typename Integer>
std::function<void(const std::string&)> store_integer(std::optional<Integer>& target, const Range& range) {
  return [&target, range](const std::string& text) {
    target = static_cast<Integer>(parse_integer(text, range));
  };
}

// A duration; the range is in seconds.
std::function<void(const std::string&)> store_duration(std::optional<Nanoseconds>& target,
                                                       const Range& range);

// Of the embedded scenarios of a folder, for completion.
std::vector<std::string> scenario_names(std::string_view folder);

// Adds the members of a list by comma.
template <typename T, typename Parse>
void append_parsed(std::optional<std::vector<T>>& target, const std::string& text, Parse parse) {
  if (!target) target.emplace();
  for (const std::string& name : split(text, ',')) target->push_back(parse(trim(name)));
}

}  // namespace ringside
