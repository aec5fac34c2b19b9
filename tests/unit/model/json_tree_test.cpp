#include "model/json_tree.hpp"

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "model/document.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// What `read` says of a text; empty: nothing.
template <typename Read>
std::string complaint_of(Read read) {
  try {
    read();
  } catch (const UsageError& problem) {
    return problem.what();
  }
  return "";
}

std::string complaint(const std::string& text) {
  return complaint_of([&] { const JsonTree tree(text, "x.json"); });
}

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

using Reference = nlohmann::ordered_json;

// What another reader makes of the same value.
bool agrees(const JsonNode& node, const Reference& value) {
  switch (node.kind) {
    case JsonKind::null:
      return value.is_null();
    case JsonKind::boolean:
      return value.is_boolean() && value.get<bool>() == node.is.truth;
    case JsonKind::whole:
      return value.is_number_unsigned() && value.get<std::uint64_t>() == node.is.whole;
    case JsonKind::number:
      return value.is_number() && !value.is_number_unsigned() && value.get<double>() == node.is.number;
    case JsonKind::string:
      return value.is_string() && value.get<std::string>() == node.string();
    case JsonKind::array:
    case JsonKind::object:
      break;
  }
  if (value.size() != node.size || value.is_array() != (node.kind == JsonKind::array)) return false;
  const JsonNode* part = &node + 1;
  for (const auto& item : value.items()) {
    if (value.is_object() && (part++)->string() != item.key()) return false;
    if (!agrees(*part, item.value())) return false;
    part = part->next();
  }
  return part == node.next();
}

}  // namespace

TEST_CASE("A text is read as another reader reads it, to the bit") {
  for (const std::string text : {" null ",
                                 "true",
                                 "false",
                                 "0",
                                 "-0",
                                 "-0.0",
                                 "7",
                                 "-7",
                                 "1e3",
                                 "0.1",
                                 "1E-2",
                                 "5e+3",
                                 "123456789.123456789",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "4.9e-324",
                                 "1e-999",
                                 "2.2250738585072014e-308",
                                 "1.7976931348623157e308",
                                 R"("")",
                                 R"("plain")",
                                 R"("\"\\\/\b\f\n\r\t")",
                                 R"("\u00e9\u20ac\ud83d\ude00 x")",
                                 "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"",
                                 R"("\u0000")",
                                 "[]",
                                 "{}",
                                 "[ ]",
                                 "{\n}",
                                 R"([1,[2,[]],{"a":{"b":[]},"c":null},3])",
                                 "\t{ \"k\"\r\n: [ 1 ,\n                       2 ] }\n",
                                 R"({"":{"":0}, "\u0041": "A"})"}) {
    CAPTURE(text);
    const JsonTree tree(text, "x");
    CHECK(agrees(tree.root(), Reference::parse(text)));
  }
}

TEST_CASE("What another reader refuses is refused, with its place") {
  for (const auto& [text, said] : std::initializer_list<std::pair<std::string, std::string>>{
           {"", "1:1: expected a value, found the end of the text"},
           {"\n ", "2:2: expected a value, found the end of the text"},
           {"oops", "1:1: expected a value, found 'o'"},
           {"{\n  \"schema\": nul\n}", "2:13: expected a value; is this 'null'?"},
           {"[1 2]", "1:4: expected ',' or ']', found '2'"},
           {"[1,]", "1:4: expected a value, found ']'"},
           {"{\"a\":1,}", "1:8: expected a key in quotes, found '}'"},
           {"{a:1}", "1:2: expected a key in quotes, found 'a'"},
           {"{\"a\" 1}", "1:6: expected ':', found '1'"},
           {"{\"a\":1", "1:7: expected ',' or '}', found the end of the text"},
           {"1 1", "1:3: expected the end of the text, found '1'"},
           {"01", "1:2: expected the end of the text, found '1'"},
           {"-", "1:2: expected a digit, found the end of the text"},
           {"+1", "1:1: expected a value, found '+'"},
           {"1.", "1:3: expected a digit, found the end of the text"},
           {"1.e3", "1:3: expected a digit, found 'e'"},
           {"1e", "1:3: expected a digit, found the end of the text"},
           {"[1e999]", "1:2: no number is as large as 1e999"},
           {"\"a", "1:3: a string is not ended, found the end of the text"},
           {"\"a\\", "1:3: an unknown escape in a string"},
           {"\"\\x\"", "1:2: an unknown escape in a string"},
           {"\"\\u12g4\"", "1:2: expected four hexadecimal digits behind \\u"},
           {"\"\\ud800\"", "1:2: half of a surrogate pair stands alone"},
           {"\"\\udc00\\ud800\"", "1:2: half of a surrogate pair stands alone"},
           {"\"a\nb\"", "1:3: a control character in a string must be escaped"},
           {"{\"a\":\"\xff\"}", "1:7: a string is not valid UTF-8"},
           {"\"\xc0\x80\"", "1:2: a string is not valid UTF-8"},
           {"\"\xed\xa0\x80\"", "1:2: a string is not valid UTF-8"},
           {"\"\xf4\x90\x80\x80\"", "1:2: a string is not valid UTF-8"},
           {"\"\xe2\x82", "1:2: a string is not valid UTF-8"},
           {"/**/1", "1:1: expected a value, found '/'"}}) {
    CAPTURE(text);
    CHECK(complaint(text) == "x.json:" + said);
    CHECK_FALSE(Reference::accept(text));
  }
}

TEST_CASE("Elements of one array are given away one by one, and everything else stays in the tree") {
  std::vector<std::string> taken;
  const std::string text = R"({"a": [1], "rows": [{"b": "\u0041"}, [], "x\n"], "c": {"rows": [7]}})";
  const JsonTree tree(text, "x", "rows", [&](const JsonNode& element, std::size_t index) {
    CHECK(index == taken.size());
    const JsonNode& last = element.is_structured() && element.size > 0 ? *(&element + 2) : element;
    taken.emplace_back(last.kind == JsonKind::string ? last.string() : "none");
  });
  CHECK(taken == std::vector<std::string>{"A", "none", "x\n"});
  CHECK(agrees(tree.root(), Reference::parse(R"({"a": [1], "rows": [], "c": {"rows": [7]}})")));
  for (const std::string malformed : {R"({"rows": [1 2]})", R"({"rows": [1,]})", R"({"rows": [1)"}) {
    const auto ignore = [](const JsonNode&, std::size_t) {};
    CHECK(complaint_of([&] { const JsonTree read(malformed, "x.json", "rows", ignore); }) ==
          complaint(malformed));
  }
}

TEST_CASE("What is wrong in a row is said after what is wrong with the whole text") {
  const std::string row = R"("rows": [{"params": 1}])";
  const auto said = [](const std::string& text) {
    return complaint_of([&] { static_cast<void>(document_from_json(text, "x.json")); });
  };
  CHECK(said("{" + row + R"(, "schema": "other"})") ==
        "x.json: $.schema: expected 'ringside.document', found 'other'");
  CHECK(said("{" + row + ", oops}").starts_with("x.json:1:27: expected a key"));
  CHECK(said(R"({"schema": "ringside.document", "schema_version": "1.0.0", )" + row + "}") ==
        "x.json: $.rows[0].params: expected an object, found 1");
}

TEST_CASE("A byte order mark is skipped, as another reader does it") {
  const std::string text = "\xef\xbb\xbf[]";
  CHECK(Reference::accept(text));
  CHECK_NOTHROW(JsonTree(text, "a.json"));
}

TEST_CASE("What is given away element by element may not come twice") {
  for (const std::string text : {"{\"rows\":[1],\"rows\":[2]}", "{\"rows\":[1],\"rows\":null}"}) {
    CHECK_THROWS_WITH(JsonTree(text, "a.json", "rows", [](const JsonNode&, std::size_t) {}),
                      Catch::Matchers::ContainsSubstring("the key 'rows' comes twice"));
  }
}

TEST_CASE("A key that comes twice is refused at its place") {
  CHECK(complaint("{\"a\": 1,\n \"b\": {\"c\": [], \"a\": 1, \"c\": 2}}") ==
        "x.json:2:25: the key 'c' comes twice");
  CHECK(complaint("{\"a\": 1, \"\\u0061\": 2}") == "x.json:1:10: the key 'a' comes twice");
  CHECK(complaint("[{\"a\": 1}, {\"a\": 1}]").empty());
  for (const int members : {2, 47, 48, 49, 200}) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += "\"k" + std::to_string(i) + "\": [{\"k0\": 1}], ";
    INFO(members);
    CHECK(complaint(text + "\"last\": 0}").empty());
    CHECK(complaint(text + "\"k" + std::to_string(members - 1) + "\": 0}").find("comes twice") !=
          std::string::npos);
    CHECK(complaint(text + "\"k0\": 0}").find("the key 'k0' comes twice") != std::string::npos);
  }
}

TEST_CASE("Values that would take far more memory than their text are refused") {
  for (const std::string value : {"0,", "\"\",", "[],", "{},", "\"\\n\","}) {
    INFO(value);
    CHECK(complaint("[" + repeated(value, 4'000'000) + "0]").find("too many small values") !=
          std::string::npos);
    CHECK(complaint("[" + repeated(value, 20'000) + "0]").empty());
  }
}

TEST_CASE("A text that is nested too deep is refused") {
  CHECK(complaint(repeated("[", 1'000'000)) == "x.json:1:65: nested deeper than 64 levels");
  CHECK(complaint("{\n\"a\": " + repeated("{\"b\":", 64)) == "x.json:2:321: nested deeper than 64 levels");
  CHECK(complaint(repeated("[", 64) + repeated("]", 64)).empty());
}

TEST_CASE("An object with too many members is refused") {
  std::string members = "\"0\":0";
  for (int i = 1; i < 1000; ++i) members += ",\n\"" + std::to_string(i) + "\":0";
  CHECK(complaint("{" + members + "}").empty());
  CHECK(complaint("[{" + members + "},{" + members + "}]").empty());
  CHECK(complaint("{" + members + ",\n\"1000\":0}") == "x.json:1001:7: an object of more than 1000 members");
}

TEST_CASE("However long what is wrong may be, the complaint is short") {
  const std::string huge(1'000'000, 'x');
  const std::string digits(1'000'000, '7');
  for (const std::string& text : {"{\"schema\": \"" + huge + "\"}", "{\"schema\": " + huge + "}", "\"" + huge,
                                  digits, "{\"" + huge + "\": \x01}", "{\"schema\": 1." + digits + "}",
                                  R"({"schema": "ringside.document", "schema_version": ")" + huge + "\"}"}) {
    const std::string said = complaint_of([&] { static_cast<void>(document_from_json(text, "x.json")); });
    CHECK_FALSE(said.empty());
    CHECK(said.size() < 500);
  }
}
