#pragma once

#include <string>
#include <string_view>

#include "served/read_speeds.hpp"

namespace ringside {

// Whether a text begins like acceptance.csv of speculators' evaluation.
bool is_acceptance_table(std::string_view text);

// One reading without a speed: the length and the rates by position (acceptance_at_pos_0, ...) of all subsets
// together, by their drafts; several lengths give its spread. Throws UsageError with the line for what isn't
// a number.
SpeedFile read_acceptance_table(const std::string& text, const std::string& origin);

}  // namespace ringside
