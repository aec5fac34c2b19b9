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

TEST_CASE("what steers a terminal or turns the direction of text becomes an escape in any form") {
  CHECK(printable("a\u009b31mb") == "a\\u009b31mb");  // C1: begins an escape sequence alone
  CHECK(printable("\u0080\u009f\u00a0") == "\\u0080\\u009f\u00a0");
  CHECK(printable("\u202eab\u202a\u2066\u2069\u200e\u200f\u061c") ==
        "\\u202eab\\u202a\\u2066\\u2069\\u200e\\u200f\\u061c");
  CHECK(printable("a\u2028b\u2029c\u2030") == "a\\u2028b\\u2029c\u2030");
}

TEST_CASE("no byte above 0x7e is plain, however a char is signed") {
  for (const std::string text : {"\x7f", "\u0080", "\x80", "\u2028", "\u2066", "\xf5"}) {
    INFO(text);
    CHECK(printable(text) != text);
  }
  CHECK(harmless_json("\"\u009b\"") == "\"\\u009b\"");
}

TEST_CASE("what GitHub's runner executes is broken") {
  CHECK(printable("x ##[error]y ## [z #[") == "x #\\x23[error]y ## [z #[");
  CHECK(line_start("::error::x") == "\\::error::x");
  CHECK(line_start("  ::error::x") == "  \\::error::x");
  for (const std::string blank : {"\u00a0", "\u1680", "\u2000", "\u200a", "\u202f", "\u205f", "\u3000",
                                  "\ufeff", "\t", "\v", "\f", "\r", "\u0085", "\u2028", " \u3000\ufeff\t"}) {
    INFO(blank);
    CHECK(white_space(blank + "::x") == blank.size());
    CHECK(line_start(blank + "::x") == blank + "\\::x");
    CHECK(line_start(blank + "x::") == blank + "x::");
  }
  CHECK(white_space("\xc2") == 0);
  CHECK(white_space("\u200b::") == 0);
  CHECK(line_start("\u3000") == "\u3000");
  CHECK(line_start("std::move ::x") == "std::move ::x");
  CHECK(line_starts("a\n::b\n\n ::c\nd") == "a\n\\::b\n\n \\::c\nd");
}

TEST_CASE("dangerous characters of JSON are escaped and mean the same") {
  CHECK(harmless_json("{\"a\u009b\": \"\u2028##[x]\x7f\"}") ==
        "{\"a\\u009b\": \"\\u2028#\\u0023[x]\\u007f\"}");
  CHECK(harmless_json("{\n  \"a\": \"\u00b1\"\n}") == "{\n  \"a\": \"\u00b1\"\n}");
}
