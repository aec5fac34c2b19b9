#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ringside {

// A line of a log without colours and carriage returns.
std::string plain_line(std::string_view line);

// A line of a log, without colours and carriage returns.
struct LogLine {
  std::string text;
  long number = 0;  // from 1

  // The rank that wrote it, as rank_words() has it, where its own text begins at `at`.
  std::string rank_before(std::size_t at) const;
};

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
