#pragma once

#include <string>
#include <string_view>

namespace ringside {

// A line of a log without colours and carriage returns.
std::string plain_line(std::string_view line);

// Which rank wrote a line, from the words before its text: "TP3 EP3", "DP1 PP0 TP3", "rank 5"; empty: it
// doesn't say.
std::string rank_words(std::string_view prefix);

// The number by which ranks are told apart: of TP, else of rank, EP, DP, PP; -1: none.
int rank_number(std::string_view words);

}  // namespace ringside
