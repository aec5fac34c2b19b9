#include "base/printable.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("text without surprises stays as it is") {
  CHECK(printable("ring 2K, 14 µs → ok") == "ring 2K, 14 µs → ok");
}

TEST_CASE("control characters become escapes so that a message is one line") {
  CHECK(printable("a\nb\tc\x1b[31m\x7f") == "a\\nb\\tc\\x1b[31m\\x7f");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("bytes that are no UTF-8 become escapes") {
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("caf\xe9!") == "caf\\xe9!");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");                    // cut off
}
