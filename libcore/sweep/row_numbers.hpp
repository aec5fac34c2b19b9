#pragma once

#include <optional>
#include <string>

#include "model/row.hpp"

namespace ringside {

// Statistics and bandwidths of a measured row, from the samples of all its launches.
void update_numbers(Row& row);

// Takes them from a row whose samples are no times; the samples stay as evidence.
void forget_numbers(Row& row);

// Adds what ran in further launches, and what chose it, to what the row says: "one-shot, two-shot" where they
// differ.
void add_ran(Row& row, const std::optional<std::string>& ran, const std::optional<std::string>& chosen_by);

}  // namespace ringside
