#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringside {

// A name and its value as they stand in the text of a Python object, blanks around them left out.
using PythonPair = std::pair<std::string, std::string_view>;

// The arguments in "a=1, b='x', c=[1, 2])" up to the parenthesis that closes them, or the items of a dict
// with names for keys, "'a': 1, 'b': {...}}". Without the bracket that opens it. A text that is cut off gives
// what it has; values point into it.
std::vector<PythonPair> python_pairs(std::string_view text);

// A Python string without its quotation marks and escapes; any other text as it is.
std::string python_string(std::string_view text);

// The numbers of "[1, 2, 4]"; what is no number is left out.
std::vector<double> python_numbers(std::string_view text);

}  // namespace ringside
