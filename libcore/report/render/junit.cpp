#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/render/markup.hpp"
#include "report/renderer.hpp"

namespace ringside {
namespace {

using Outcome = TestCase::Outcome;

std::string outcome_element(const TestCase& test) {
  const std::string message = markup_escaped(test.message);
  if (test.outcome == Outcome::skipped) return fmt::format("<skipped message=\"{}\"/>", message);
  const char* element = test.outcome == Outcome::failure ? "failure" : "error";
  const std::string head =
      fmt::format("<{} type=\"{}\" message=\"{}\"", element, markup_escaped(test.type), message);
  if (test.detail.empty()) return head + "/>";
  std::string body;
  for (const std::string& line : test.detail) body += markup_escaped(line) + '\n';
  return fmt::format("{}>{}</{}>", head, body, element);
}

std::string element(const TestCase& test, const std::string& suite) {
  const bool timed = test.time_ns && std::isfinite(*test.time_ns);
  std::string text =
      fmt::format("    <testcase classname=\"{}.{}\" name=\"{}\" time=\"{:.9f}\">\n", markup_escaped(suite),
                  markup_escaped(test.group), markup_escaped(test.name), timed ? *test.time_ns / 1e9 : 0.0);
  if (test.outcome != Outcome::passed) text += "      " + outcome_element(test) + '\n';
  if (!test.output.empty())
    text += fmt::format("      <system-out>{}</system-out>\n", markup_escaped(test.output));
  return text + "    </testcase>\n";
}

class JunitRenderer final : public Renderer {
 public:
  std::string_view name() const override { return "junit"; }
  std::string_view summary() const override { return "JUnit XML: a test for each case, and one for the run"; }
  ViewRequest request(const RenderOptions&) const override { return {.tests = true}; }
  std::string render_view(const View& view, const RenderOptions&) const override {
    const TestSuite& suite = view.tests;
    const auto count = [&](Outcome outcome) {
      return std::ranges::count(suite.cases, outcome, &TestCase::outcome);
    };
    const std::string numbers =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", suite.cases.size(), count(Outcome::failure),
                    count(Outcome::error));  // the schema of Jenkins has no "skipped" for all suites
    std::string text = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ringside\" {0}>\n  <testsuite "
        "name=\"{1}\" {0} skipped=\"{2}\" time=\"{3:.3f}\" timestamp=\"{4}\">\n    <properties>\n",
        numbers, markup_escaped(suite.name), count(Outcome::skipped),
        std::isfinite(suite.elapsed_s) ? suite.elapsed_s : 0, markup_escaped(suite.started));
    for (const auto& [name, value] : suite.properties)
      text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", markup_escaped(name),
                          markup_escaped(value));
    text += "    </properties>\n";
    for (const TestCase& test : suite.cases) text += element(test, suite.name);
    return text + "  </testsuite>\n</testsuites>\n";
  }
};

const RegisterWriter<JunitRenderer> registered;

}  // namespace
}  // namespace ringside
