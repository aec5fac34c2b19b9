#pragma once

#include <string>
#include <unordered_map>

#include "model/document.hpp"

namespace ringside {

// Identifies a case between Documents: all parameters but the family, which only groups strategies.
std::string case_key(const Case& params);

// Whether a row has launches that count.
bool was_measured(const Row& row);

// Whether the case was tried and did not work.
bool has_failed(const Row& row);

// A Document's rows by case_key(); they point into it.
using RowsByKey = std::unordered_map<std::string, const Row*>;
RowsByKey rows_by_key(const Document& document);

}  // namespace ringside
