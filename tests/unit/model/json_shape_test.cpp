#include "model/json_shape.hpp"

#include "base/errors.hpp"
#include "model/document.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// What the reader says of a text; empty: nothing.
std::string complaint(const std::string& text) {
  try {
    static_cast<void>(document_from_json(text, "x.json"));
  } catch (const UsageError& problem) {
    return problem.what();
  }
  return "";
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

TEST_CASE("A text that is nested too deep is refused before it is parsed") {
  CHECK(complaint(repeated("[", 1'000'000)) == "x.json:1:65: nested deeper than 64 levels");
  CHECK(complaint("{\n\"a\": " + repeated("{\"b\":", 64)) == "x.json:2:321: nested deeper than 64 levels");
  CHECK_NOTHROW(check_shape(repeated("[", 64) + repeated("]", 64) + "[[", "x"));
}

TEST_CASE("An object with too many members is refused before it is parsed") {
  std::string members = "\"0\":0";
  for (int i = 1; i < 1000; ++i) members += ",\n\"" + std::to_string(i) + "\":0";
  CHECK_NOTHROW(check_shape("{" + members + "}", "x"));
  CHECK_NOTHROW(check_shape("[{" + members + "},{" + members + "}]", "x"));
  CHECK(complaint("{" + members + ",\n\"1000\":0}") == "x.json:1001:7: an object of more than 1000 members");
}

TEST_CASE("Brackets and colons inside strings don't count") {
  CHECK_NOTHROW(check_shape("{\"" + repeated("[", 100) + "\\\"" + repeated("{:", 2000) + "\": 1}", "x"));
  CHECK_NOTHROW(check_shape("\"never ended " + repeated("[", 100), "x"));
  CHECK_NOTHROW(check_shape("\"ends in a backslash \\", "x"));
}

TEST_CASE("However long what is wrong may be, the complaint is short") {
  const std::string huge(1'000'000, 'x');
  for (const std::string& text : {"{\"schema\": \"" + huge + "\"}", "{\"schema\": " + huge + "}", "\"" + huge,
                                  "{\"" + huge + "\": \x01}",
                                  R"({"schema": "ringside.document", "schema_version": ")" + huge + "\"}"}) {
    const std::string said = complaint(text);
    CHECK_FALSE(said.empty());
    CHECK(said.size() < 500);
  }
}
