#include "trace/core/pipeline_toml.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "trace/core/evaluate.hpp"
#include "unit/trace/core/sample_pipeline.hpp"

using namespace ringside;

namespace {

Pipeline read(const std::string& body) {
  return read_pipeline(ScenarioText{"p", "p.toml", "kind = \"init-pipeline\"\nentry = \"a\"\n" + body});
}

}  // namespace

TEST_CASE("an effect that does not exist is named with its place") {
  CHECK_THROWS_WITH(read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", explode = \"now\"}]\n"),
                    Catch::Matchers::ContainsSubstring("p.toml:5") &&
                        Catch::Matchers::ContainsSubstring("one of set, check"));
}

TEST_CASE("a step has one effect") {
  CHECK_THROWS_WITH(
      read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", leave = \"x\", warn = \"y\"}]\n"),
      Catch::Matchers::ContainsSubstring("one effect"));
}

TEST_CASE("procedures that call each other in a circle are refused") {
  CHECK_THROWS_WITH(read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", call = \"b\"}]\n"
                         "[[procedure]]\nname = \"b\"\nstep = [{at = \"x.py:2\", call = \"a\"}]\n"),
                    Catch::Matchers::ContainsSubstring("in a circle: a > b > a"));
}

TEST_CASE("a call of a procedure that does not exist names the nearest") {
  CHECK_THROWS_WITH(
      read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", call = "
           "\"bc\"}]\n[[procedure]]\nname = \"bcd\"\n"),
      Catch::Matchers::ContainsSubstring("no procedure 'bc'") && Catch::Matchers::ContainsSubstring("bcd"));
}

TEST_CASE("what can't be set, and conditions that are none, are refused") {
  CHECK_THROWS_WITH(
      read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", set = \"x\", to = \"1\"}]\n"),
      Catch::Matchers::ContainsSubstring("args.*, state.* or env.*"));
  CHECK_THROWS_WITH(
      read("[[procedure]]\nname = \"a\"\nstep = [{at = \"x.py:1\", guard = \"(\", leave = \"x\"}]\n"),
      Catch::Matchers::ContainsSubstring("p.toml:5"));
}

TEST_CASE("a pipeline that doubles its calls without end is stopped") {
  std::string body;
  for (int i = 0; i < 60; ++i) {
    const std::string name = i == 0 ? "a" : "p" + std::to_string(i), next = "p" + std::to_string(i + 1);
    body += "[[procedure]]\nname = \"" + name + "\"\nstep = [{at = \"x.py:1\", call = \"" + next +
            "\"}, {at = \"x.py:2\", call = \"" + next + "\"}]\n";
  }
  body += "[[procedure]]\nname = \"p60\"\n";
  const Pipeline pipeline = read(body);
  CHECK_THROWS_AS(evaluate(pipeline, Launch{}), UsageError);
}
