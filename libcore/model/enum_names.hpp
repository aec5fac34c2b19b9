#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

// The words that stand for an enumeration outside the program, in the order of its values from 0. Specialise
// it in the source file that defines the enumeration's to_string: `what` names it in messages.
template <typename Enum>
struct EnumNames;

template <typename Enum>
std::string_view name_of(Enum value) {
  return EnumNames<Enum>::names[static_cast<std::size_t>(value)];
}

// Throws UsageError that lists the valid names and the nearest one.
template <typename Enum>
Enum parse_name(std::string_view text) {
  const std::vector<std::string> names(EnumNames<Enum>::names.begin(), EnumNames<Enum>::names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  throw UsageError(fmt::format("unknown {} '{}'{}; valid: {}", EnumNames<Enum>::what, text,
                               did_you_mean(text, names), join(names, ", ")));
}

}  // namespace ringside
