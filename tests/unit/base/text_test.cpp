#include "base/text.hpp"

#include <array>

#include "support/catch.hpp"

using namespace ringside;

namespace {

const std::array<std::string, 4> kStrategies = {"ring", "tree", "custom", "symmetric"};

}  // namespace

TEST_CASE("the nearest name is the one with the fewest edits") {
  CHECK(nearest_name("rng", kStrategies) == "ring");
  CHECK(nearest_name("ringg", kStrategies) == "ring");
  CHECK(nearest_name("costum", kStrategies) == "custom");
  CHECK(nearest_name("symetric", kStrategies) == "symmetric");
}

TEST_CASE("what was typed may be the beginning of a long name") {
  CHECK(nearest_name("sym", kStrategies) == "symmetric");
  CHECK(nearest_name("sy", kStrategies) == "");
}

TEST_CASE("a name that is far from all others has no nearest one") {
  CHECK(nearest_name("nvshmem", kStrategies) == "");
  CHECK(nearest_name("x", kStrategies) == "");
  CHECK(nearest_name("", kStrategies) == "");
  CHECK(nearest_name("ring", {}) == "");
}

TEST_CASE("the hint is a whole phrase, or nothing") {
  CHECK(did_you_mean("tre", kStrategies) == " (did you mean 'tree'?)");
  CHECK(did_you_mean("nvshmem", kStrategies) == "");
}

TEST_CASE("split keeps empty parts, and join is its inverse") {
  CHECK(split("a,b", ',') == std::vector<std::string>{"a", "b"});
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(split(",a,,", ',') == std::vector<std::string>{"", "a", "", ""});
  for (const std::string text : {"a,b", "", ",", ",a,,b,"}) CHECK(join(split(text, ','), ",") == text);
  CHECK(join({}, ", ") == "");
}

TEST_CASE("trim takes blanks off both ends only") {
  CHECK(trim("  a b\t\r\n") == "a b");
  CHECK(trim("a") == "a");
  CHECK(trim(" \n") == "");
  CHECK(trim("") == "");
}

TEST_CASE("columns are counted by character, not by byte") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\u00b5s \u00d7 2") == 6);
  CHECK(display_width("") == 0);
}

TEST_CASE("padding fills up to the width, on either side, and never cuts") {
  CHECK(pad("ab", 4) == "ab  ");
  CHECK(pad("ab", 4, true) == "  ab");
  CHECK(pad("\u00b5s", 4, true) == "  \u00b5s");
  CHECK(pad("abcdef", 4) == "abcdef");
}
