#pragma once

#include <map>
#include <string>
#include <string_view>

#include "trace/core/value.hpp"

namespace ringside {

// The arguments in the text of a Python object, "a=1, b='x', c=None, d=[...])", up to the parenthesis that
// closes it. What is no plain literal is unknown; a text that is cut off gives what it has.
std::map<std::string, Value> parse_keywords(std::string_view text);

}  // namespace ringside
