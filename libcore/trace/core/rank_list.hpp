#pragma once

#include <string>
#include <vector>

namespace ringside {

// "0-7", "0,2-3", "5": ascending ranks as people write them; "" for none.
std::string format_ranks(const std::vector<int>& ranks);
std::string format_ranks(int first, int last);

// "rank 3", "ranks 0-7".
std::string ranks_text(const std::string& ranks);

}  // namespace ringside
