#pragma once

#include <string_view>
#include <vector>

namespace ringside {

// The words that stand for an enumeration outside the program, in the order of its values from 0. Specialise
// it beside the enumeration: `what` names it in messages, `names` is an array of the words.
template <typename Enum>
struct EnumNames;

template <typename Enum>
std::string_view name_of(Enum value) {
  return EnumNames<Enum>::names[static_cast<std::size_t>(value)];
}

// The place of `text` among the names. Throws UsageError that lists them and the nearest one.
std::size_t index_of_name(std::string_view text, std::string_view what,
                          const std::vector<std::string_view>& names);

template <typename Enum>
Enum parse_name(std::string_view text) {
  const std::vector<std::string_view> names(std::begin(EnumNames<Enum>::names),
                                            std::end(EnumNames<Enum>::names));
  return static_cast<Enum>(index_of_name(text, EnumNames<Enum>::what, names));
}

}  // namespace ringside
