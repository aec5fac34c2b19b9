#include "base/digest.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("a digest is FNV-1a of 64 bits") {
  CHECK(text_digest("") == "fnv1a:cbf29ce484222325");
  CHECK(text_digest("a") == "fnv1a:af63dc4c8601ec8c");
  CHECK(text_digest("foobar") == "fnv1a:85944171f73967e8");
}

TEST_CASE("a digest does not depend on how the bytes come") {
  Fnv1a pieces;
  pieces.add("foo");
  pieces.add("");
  pieces.add("bar");
  CHECK(pieces.hex() == "85944171f73967e8");
}
