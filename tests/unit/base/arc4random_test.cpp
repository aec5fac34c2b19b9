#include <cstdint>
#include <set>

#include "support/catch.hpp"

extern "C" std::uint32_t arc4random() noexcept;

TEST_CASE("successive random words differ") {
  std::set<std::uint32_t> words;
  for (int i = 0; i < 16; ++i) words.insert(arc4random());
  CHECK(words.size() > 14);
}
