#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace ringside {

// The number behind `label` in a line, blanks between them left out and commas between its digits taken as
// none ("1,234 tokens" is 1234); from 0 to 1e12. Nothing: no label, or no number behind it.
std::optional<double> number_after(std::string_view line, std::string_view label);

// The numbers of "0.929, 0.857, Avg Draft ..." behind `label`, up to what is no share from 0 to 1.
std::vector<double> shares_after(std::string_view line, std::string_view label);

// A whole number that the text is, and nothing else.
std::optional<double> whole_number(std::string_view text);

// As a count, held within what an int has.
int to_count(double value);

}  // namespace ringside
