#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/json_tree.hpp"

namespace ringside {

// JSON as Python writes it: NaN, Infinity and -Infinity outside of strings become null.
std::string strict_json(std::string text);

// The member of an object by the first of its names that it has; nullptr: none, or no object.
const JsonNode* find_member(const JsonNode& object, std::initializer_list<std::string_view> names);

// A number among the members of an object, by the first of its names that has one.
std::optional<double> find_number(const JsonNode& object, std::initializer_list<std::string_view> names);

// A string likewise; empty: none.
std::string find_text(const JsonNode& object, std::initializer_list<std::string_view> names);

// The numbers of an array; what is no number is left out.
std::vector<double> find_numbers(const JsonNode& object, std::string_view name);

}  // namespace ringside
