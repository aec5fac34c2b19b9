#include "report/views/result_kind.hpp"

#include <algorithm>

#include "report/renderer.hpp"
#include "support/catch.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

Document traced() {
  Document document;
  document.trace.emplace().title = "a launch";
  document.trace->outcome = "pass";
  document.trace->steps.resize(1);
  return document;
}

Document speculated() {
  Document document;
  document.spec.emplace().title = "does it pay";
  document.spec->recommendation = "tie";
  document.spec->candidates.resize(1);
  return document;
}

std::vector<std::string> topics(const Document& document, Room room) {
  std::vector<std::string> found;
  for (const Section& section : view_of(document, {.room = room, .sections = true}).sections) {
    if (found.empty() || found.back() != section.topic) found.push_back(section.topic);
  }
  return found;
}

}  // namespace

TEST_CASE("Each kind of result is shown by its own view, and what has none as a sweep") {
  const auto title = [](const Document& document) { return view_of(document, {.sections = true}).title; };
  CHECK(title(traced()) == "a launch");
  CHECK(title(speculated()) == "does it pay");
  CHECK(title(sample_comparison()) == "new.json against base.json");
  CHECK(title(host_sweep().document) == "allreduce on 2 cores AMD EPYC 7B13");
  CHECK(&kind_of(Document{}) == all_kinds().front());
}

TEST_CASE("Kinds are ordered from the general to the special, no two alike") {
  const auto kinds = all_kinds();
  REQUIRE(kinds.size() >= 4);
  CHECK(kinds.front()->speciality() == 0);
  CHECK(std::ranges::adjacent_find(kinds, std::greater_equal{}, &ResultKind::speciality) == kinds.end());
}

TEST_CASE("A view holds what was asked for and nothing else") {
  for (const Document& document :
       {host_sweep().document, sample_comparison(), speculated(), traced(), Document{}}) {
    const View sections = view_of(document, {.sections = true});
    CHECK_FALSE(sections.sections.empty());
    CHECK(sections.tests.cases.empty());
    CHECK(sections.benchmarks.empty());
    CHECK_FALSE(sections.timeline);
    const View tests = view_of(document, {.tests = true});
    CHECK(tests.sections.empty());
    CHECK(tests.tests.cases.size() == 1 + document.rows.size());
    CHECK(view_of(document, {.timeline = true}).timeline.has_value() == document.trace.has_value());
  }
  CHECK(view_of(host_sweep().document, {.benchmarks = true}).benchmarks.size() == 25);
}

TEST_CASE("A terminal has the answer last, a document that is kept has it where it is looked for") {
  const Document comparison = sample_comparison();
  CHECK(topics(comparison, Room::terminal) == std::vector<std::string>{"comparison", "findings", "verdict"});
  CHECK(topics(comparison, Room::document) == std::vector<std::string>{"verdict", "comparison", "findings"});
  CHECK(topics(traced(), Room::terminal).back() == "outcome");
  CHECK(topics(traced(), Room::document).front() == "outcome");
}

TEST_CASE("A result beside others is its answers and findings alone") {
  for (const Document& document : {host_sweep().document, sample_comparison(), speculated(), traced()}) {
    const View view = view_of(document, {.room = Room::page, .sections = true, .summary = true});
    REQUIRE(view.sections.size() == 2);
    CHECK(std::holds_alternative<Answers>(view.sections[0].part));
    CHECK(std::holds_alternative<Findings>(view.sections[1].part));
  }
}
