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

// Whether two such texts can be of one rank: no name has another number in the other ("TP3" and "TP3 EP3"
// can).
bool ranks_agree(std::string_view a, std::string_view b);

// `text` with every digit as 0, so that lines of one origin begin alike at another time.
std::string without_numbers(std::string_view text);

}  // namespace ringside
