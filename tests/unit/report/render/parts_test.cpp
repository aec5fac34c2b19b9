// Views that no Document made: a format needs nothing else.
#include "report/renderer.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

const Renderer& renderer(const char* name) {
  return dynamic_cast<const Renderer&>(*find_writer(name));
}

std::string rendered(const char* name, Part part) {
  View view;
  view.heading = view.title = "a thing";
  view.sections.push_back({"topic", std::move(part)});
  return renderer(name).render_view(view, {.verbose = true});
}

void check_shown(const Part& part, const std::vector<std::string>& words,
                 const std::vector<const char*>& formats = {"table", "md", "html"}) {
  for (const char* name : formats) {
    const std::string text = rendered(name, part);
    for (const std::string& word : words) {
      INFO(name << ": " << word);
      CHECK(text.find(word) != std::string::npos);
    }
  }
}

MatrixColumn column(std::string header, std::string value) {
  return {.header = {std::move(header)}, .cells = {{.value = std::move(value)}}};
}

}  // namespace

TEST_CASE("Every part of a view is shown in every format that has sections") {
  GridLines lines;
  lines.add({"left"}, Align::left);
  lines.line({"right"});
  check_shown(TitledGrid{.title = "titled", .columns = lines.take(), .note = "noted"},
              {"titled", "left", "right", "noted"});
  check_shown(Matrix{.subject = "all things",
                     .what = "us per call",
                     .key = "size",
                     .keys = {"2K"},
                     .candidates = {column("ring", "1.83")},
                     .verdicts = column("winner", "ring, 2x"),
                     .best = {column("busbw", "7.5")}},
              {"all things", "us per call", "size", "2K", "ring", "1.83", "ring, 2x", "busbw", "7.5"});
  check_shown(Legend{"symbols"}, {"symbols"});
  check_shown(Remark{"remarked"}, {"remarked"});
  check_shown(
      Findings{
          .items =
              {{.word = "warned", .label = "warned", .text = "bad", .evidence = {"fact"}, .remedy = "mend"}},
          .skipped = {{.word = "left out", .label = "left out", .text = "odd", .evidence = {"proof"}}}},
      {"warned", "bad", "fact", "mend", "left out", "odd", "proof"});
  check_shown(
      StepList{
          .steps =
              {{.who = "main", .where = "a.py:1", .what = "begins", .state = "ran", .mark = "died here"}}},
      {"main", "a.py:1", "begins", "died here"});
  check_shown(Backtrace{.error = "AssertionError", .message = "none", .frames = {{.place = "a.py:7"}}},
              {"AssertionError", "none", "a.py:7"});
  check_shown(Alternatives{{{"without ep", "pass", "experts"}}}, {"without ep", "pass", "experts"});
  check_shown(FactList{"facts", {{"tp", "8"}}}, {"tp", "8"});
  check_shown(CodeLines{"not known", {"draft"}}, {"draft"});
}

TEST_CASE("An answer is shown with what decides it and what it rests on") {
  const Answers answers{
      {{.label = "verdict", .text = "it pays", .below = "as measured", .reasons = {"calls"}}}, true};
  for (const char* name : {"table", "html"})
    check_shown(answers, {"it pays", "as measured", "calls"}, {name});
  View view;
  view.sections = {{"a", Legend{"first"}}, {"b", answers}};
  const std::string text = renderer("md").render_view(view, {});
  CHECK(text.ends_with("first\n\n- calls\n- **verdict** it pays\n  - as measured\n\n"));
}

TEST_CASE("Neighbours with the same fold share it on a page, an empty one is left out") {
  View view;
  view.sections = {{"a", Legend{"one"}, "more"}, {"a", Legend{"two"}, "more"}, {"a", CodeLines{}, "nothing"}};
  const std::string text = renderer("html").render_view(view, {});
  const std::size_t fold = text.find("<summary>more</summary>");
  REQUIRE(fold != std::string::npos);
  CHECK(text.find("<summary>more</summary>", fold + 1) == std::string::npos);
  CHECK(text.find("two", fold) < text.find("</details>", fold));
  CHECK(text.find("<summary>nothing</summary>") == std::string::npos);
}

TEST_CASE("Tests, benchmarks and a timeline are enough for the formats of other tools") {
  View view;
  view.tests = {
      .name = "suite",
      .cases = {
          {.group = "g", .name = "n", .outcome = TestCase::Outcome::failure, .type = "t", .message = "m"}}};
  view.benchmarks = {{.name = "b",
                      .measures = {{.name = "size", .value = 3},
                                   {.name = "time", .value = 2e6, .unit = "ms", .per_unit = 1e6}}}};
  view.timeline = Timeline{"launch", {{.name = "event", .track = "main", .time_s = 2}}};
  const auto holds = [&](const char* name, const char* part) {
    return renderer(name).render_view(view, {}).find(part) != std::string::npos;
  };
  CHECK(holds("junit", "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\""));
  CHECK(holds("junit", "<failure type=\"t\" message=\"m\"/>"));
  CHECK(holds("gab", "\"unit\": \"ms\",\n    \"value\": 2.0"));
  CHECK(holds("bmf", "\"size\": {\n      \"value\": 3.0"));
  CHECK(holds("chrome", "\"ts\": 2000000.0"));
}
