#include "scenario/toml_reader.hpp"

#include <functional>

#include "base/duration.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

ScenarioText scenario(std::string text) {
  return {.name = "test", .origin = "test.toml", .text = std::move(text)};
}

// The message that reading `text` ends with; empty: none.
std::string problem(const std::string& text, const std::function<void(const TomlTable&)>& read,
                    const std::vector<std::string>& overrides = {}) {
  try {
    const TomlDocument document(scenario(text), overrides);
    read(document.root());
    document.finish();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

void nothing(const TomlTable&) {}

std::string parse_color(const std::string& text) {
  const std::vector<std::string> names = {"red", "green"};
  if (text == "red" || text == "green") return text;
  throw UsageError("unknown color '" + text + "'" + did_you_mean(text, names));
}

}  // namespace

TEST_CASE("each type is read from its TOML form") {
  const TomlDocument document(scenario(R"(
text = "words"
flag = true
count = 3
ratio = 0.5
whole_ratio = 2
size = "2K"
bytes = 14336
wait = "500ms"
seconds = 1.5
names = ["a", "b"]
numbers = [1, 2.5]
sizes = ["2K", 4096]
)"));
  const TomlTable root = document.root();
  CHECK(root.get<std::string>("text") == "words");
  CHECK(root.get<bool>("flag"));
  CHECK(root.get<int>("count") == 3);
  CHECK(root.get<double>("ratio") == 0.5);
  CHECK(root.get<double>("whole_ratio") == 2.0);
  CHECK(root.get<Bytes>("size") == 2048_B);
  CHECK(root.get<Bytes>("bytes") == 14336_B);
  CHECK(root.get<Nanoseconds>("wait") == 500ms);
  CHECK(root.get<Nanoseconds>("seconds") == 1500ms);
  CHECK(root.get<std::vector<std::string>>("names") == std::vector<std::string>{"a", "b"});
  CHECK(root.get<std::vector<double>>("numbers") == std::vector<double>{1, 2.5});
  CHECK(root.get<std::vector<Bytes>>("sizes") == std::vector<Bytes>{2048_B, 4096_B});
  CHECK_FALSE(root.find<int>("absent"));
  CHECK_NOTHROW(document.finish());
}

TEST_CASE("a value of another type is refused at its place") {
  CHECK(problem("\n  count = \"two\"", [](const TomlTable& root) { root.get<int>("count"); }) ==
        "test.toml:2:11: 'count' must be a whole number, not the string \"two\"");
  CHECK(problem("count = 2.5", [](const TomlTable& root) { root.get<int>("count"); }) ==
        "test.toml:1:9: 'count' must be a whole number, not the number 2.5");
  CHECK(problem("count = 99999999999", [](const TomlTable& root) { root.get<int>("count"); }) ==
        "test.toml:1:9: 'count' must be a whole number, not the number 99999999999");
  CHECK(problem("ratio = inf", [](const TomlTable& root) { root.get<double>("ratio"); }) ==
        "test.toml:1:9: 'ratio' must be a number, not the number inf");
  CHECK(problem("size = \"2Q\"", [](const TomlTable& root) { root.get<Bytes>("size"); }) ==
        "test.toml:1:8: 'size': '2Q' is not a size: its unit is unknown (sizes read 2K, 2KiB, 1.5M, 14336)");
  CHECK(problem("day = 2026-11-29", [](const TomlTable& root) { root.get<std::string>("day"); }) ==
        "test.toml:1:7: 'day' must be a string, not a date or time");
  CHECK(problem("[link]", [](const TomlTable& root) { root.get<std::string>("link"); }) ==
        "test.toml:1:1: 'link' must be a string, not a table");
}

TEST_CASE("a number outside its range is refused with the range") {
  const auto read = [](const TomlTable& root) { root.get<int>("ranks", {2, 16}); };
  CHECK(problem("ranks = 16", read) == "");
  CHECK(problem("ranks = 17", read) ==
        "test.toml:1:9: 'ranks' must be a whole number from 2 to 16, not the number 17");
  CHECK(problem("wait = -1", [](const TomlTable& root) { root.get<Nanoseconds>("wait"); }) ==
        "test.toml:1:8: 'wait' must be a duration (seconds, \"500ms\"), not the number -1");
}

TEST_CASE("an array that mixes types is refused at the element") {
  CHECK(problem("names = [\"a\",\n  2]", [](const TomlTable& root) {
          root.get<std::vector<std::string>>("names");
        }) == "test.toml:2:3: element 2 of 'names' must be a string, not the number 2");
  CHECK(problem("names = \"a\"", [](const TomlTable& root) {
          root.get<std::vector<std::string>>("names");
        }) == "test.toml:1:9: 'names' must be an array, not the string \"a\"");
}

TEST_CASE("a missing key names its table and what may have been meant") {
  const auto read = [](const TomlTable& root) { root.table("link").get<double>("bandwidth_gbps"); };
  CHECK(problem("\n[link]\n", read) == "test.toml:2:1: 'bandwidth_gbps' is missing in [link]");
  CHECK(problem("[link]\nbandwith_gbps = 5", read) ==
        "test.toml:2:1: 'bandwidth_gbps' is missing in [link] (is it meant by 'bandwith_gbps'?)");
  CHECK(problem("", read) == "test.toml:1:1: 'link' is missing in the document");
}

TEST_CASE("a key that nothing reads is refused with the nearest valid one") {
  const auto read = [](const TomlTable& root) {
    root.find<int>("ranks");
    root.find<int>("launches");
  };
  CHECK(problem("launches = 3\nrank = 2", read) ==
        "test.toml:2:1: unknown key 'rank' in the document (did you mean 'ranks'?); valid: launches, ranks");
  CHECK(problem("[zzz]", read) == "test.toml:1:2: unknown key 'zzz' in the document; valid: launches, ranks");
}

TEST_CASE("unknown keys are found in tables below, of arrays too") {
  const auto read = [](const TomlTable& root) {
    for (const TomlTable& step : root.tables("steps")) step.get<std::string>("name");
  };
  CHECK(problem("[[steps]]\nname = \"a\"\n[[steps]]\nname = \"b\"\nbudget = 1", read) ==
        "test.toml:5:1: unknown key 'budget' in [steps[1]]; valid: name");
}

TEST_CASE("tables of an array come in the order of the document and know their path") {
  const TomlDocument document(scenario("[[a.steps]]\nx = 1\n[[a.steps]]\nx = 2"));
  const std::vector<TomlTable> steps = document.root().table("a").tables("steps");
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].get<int>("x") == 2);
  CHECK(steps[1].path() == "a.steps[1]");
  CHECK(problem("steps = 3", [](const TomlTable& root) { root.tables("steps"); }) ==
        "test.toml:1:9: 'steps' must be an array of tables ([[steps]]), not the number 3");
  CHECK(problem("steps = [3]", [](const TomlTable& root) { root.tables("steps"); }) ==
        "test.toml:1:10: [steps[0]] must be a table, not the number 3");
}

TEST_CASE("keys come in the order of the document") {
  const TomlDocument document(scenario("zebra = 1\napple = 2\nmango = 3"));
  CHECK(document.root().keys() == std::vector<std::string>{"zebra", "apple", "mango"});
}

TEST_CASE("names are read by a function whose error gets the place") {
  CHECK(problem("color = \"gren\"", [](const TomlTable& root) { root.find_name("color", parse_color); }) ==
        "test.toml:1:9: unknown color 'gren' (did you mean 'green'?)");
  CHECK(problem("colors = [\"red\", \"blue\"]", [](const TomlTable& root) {
          root.find_names("colors", parse_color);
        }) == "test.toml:1:18: unknown color 'blue'");
}

TEST_CASE("a text that is no TOML is refused in one line with its place") {
  for (const char* text :
       {"a = ", "a = 1\na = 2", "[a\nb = 1", "a = 'x", "a = 99999999999999999999", "a = 0x", "a = \"\xff\"",
        "a = 1e999999999", "\x01", "a = [1, 2", "= 1", "a.b = 1\na = 2", "[\n", "[[\na"}) {
    CAPTURE(text);
    const std::string message = problem(text, nothing);
    CHECK(message.find("test.toml:") == 0);
    CHECK(message.find(": not valid TOML") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("letters beyond ASCII are no white space where white space may stand") {
  CHECK(problem("a = \"\"\"x\\\n\u00e9\u0416\u20ac\"\"\"", [](const TomlTable& root) {
          CHECK(root.find<std::string>("a") == "x\u00e9\u0416\u20ac");
        }) == "");
  for (const char* text : {"\u00e9 = 1", "a \u0416 = 1", "a = 1 \u00e9", "[t] \u0416"}) {
    CAPTURE(text);
    CHECK(problem(text, nothing).find(": not valid TOML") != std::string::npos);
  }
}

TEST_CASE("a text over the limits is refused instead of exhausting the stack") {
  std::string deep = "a = ";
  for (int i = 0; i < 100000; ++i) deep += '[';
  CHECK(problem(deep, nothing).find("exceeded maximum nested value depth") != std::string::npos);

  std::string dotted = "a";
  for (int i = 0; i < 100000; ++i) dotted += ".a";
  CHECK(problem("x = 1\n" + dotted + " = 1", nothing) == "test.toml:2: a key with more than 32 dots");
  CHECK(problem("[" + dotted + "]", nothing) == "test.toml:1: a key with more than 32 dots");
  CHECK(problem("x = { " + dotted + " = 1 }", nothing) == "test.toml:1: a key with more than 32 dots");

  CHECK(problem("# " + std::string(2 << 20, 'x'), nothing) ==
        "test.toml: too long for a scenario: more than 1.00 MiB");
}

TEST_CASE("dots in strings and comments are not counted") {
  const std::string dots(100, '.');
  const std::string text = "# " + dots + "\na = \"" + dots + "\\\"" + dots + "\"\nb = '''" + dots + "\n'" +
                           dots + "'''\n\"" + dots + "\" = 1.5";
  CHECK(problem(text, [&](const TomlTable& root) {
          root.find<std::string>("a");
          root.find<std::string>("b");
          root.find<double>(dots);
        }) == "");
}
