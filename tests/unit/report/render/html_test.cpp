#include "report/render/html/page.hpp"

#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string page(const Document& document) {
  return find_writer("html")->render(document, {});
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A page says above all who wins, and shows a table of times with the winners marked") {
  const std::string text = page(host_sweep().document);
  CHECK(holds(text, "<title>allreduce on 2 cores AMD EPYC 7B13</title>"));
  CHECK(holds(text, "<b>allreduce bf16 eager</b> custom wins 3 of 6 sizes"));
  CHECK(holds(text, "<td class=\"r win\">*0.351</td>"));
  CHECK(holds(text, "<td class=\"r  tied\">=0.380</td>"));
  CHECK_FALSE(holds(text, "{{"));
}

TEST_CASE("A page of a bad day says what failed, why, and that it did not end") {
  const std::string text = page(troubled_sweep().document);
  CHECK(holds(text, "<p class=\"alert\">interrupted: 4 of 12 cases have a time</p>"));
  CHECK(holds(text, "<div class=\"finding error\"><span class=\"tag\">error</span>"));
  CHECK(holds(text, "stderr of rank 1: \\x1b[31mno memory\\x1b[0m"));
  CHECK(holds(text, "<td class=\"r bad\">wrong</td>"));
  CHECK(holds(text, "nvls (all 3 cases): multicast needs NVLink"));
}

TEST_CASE("A page says which times became slower or faster, or that it is unclear") {
  SampleDocument sample;
  for (const auto& [status, word] : {std::pair{Status::regress, "slower"},
                                     {Status::improve, "faster"},
                                     {Status::ambiguous, "unclear"},
                                     {Status::pass, ""}}) {
    sample.document.rows.clear();
    sample.timed("ring", 2_KiB, 1.5).status = status;
    const std::string cell =
        *word == 0 ? "1.50</td>" : "1.50 <span class=\"pm\">" + std::string(word) + "</span></td>";
    CHECK(holds(page(sample.document), cell));
  }
}

TEST_CASE("Data can't end the element that they stand in, nor ask for another part of the template") {
  SampleDocument sample;
  sample.timed("</script><b>{{script}}", 2_KiB, 1);
  const std::string text = page(sample.document);
  CHECK_FALSE(holds(text, "</script><b>"));
  CHECK(holds(text, "&lt;/script&gt;&lt;b&gt;{{script}}"));
  if (!embedded_chart().empty()) {
    CHECK(holds(text, "\"name\":\"\\u003c/script>\\u003cb>{{script}}\""));
  } else {
    CHECK(holds(text, "was built without Chart.js"));
  }
}

TEST_CASE("Steps of a trace unfold to their guard, from the shallowest one on") {
  Document document;
  document.trace.emplace().title = "a launch";
  TraceStep step;
  step.depth = 7;
  step.worker = "target";
  step.effect = "x = None";
  step.guard = "a < b";
  step.decided_by = {{"a", "1"}};
  step.mark = StepMark::set_to_none;
  document.trace->steps = {step, step};
  document.trace->steps[1].depth = 8;
  const std::string text = page(document);
  CHECK(holds(text, "<li class=\"ran marked\" style=\"--depth:0\">"));
  CHECK(holds(text, "<li class=\"ran marked\" style=\"--depth:1\">"));
  CHECK(holds(text, "<dt>guard</dt><dd>a &lt; b</dd>"));
  CHECK(holds(text, "<dd>a is 1</dd>"));
  CHECK(holds(text, "<span class=\"mark\">set it to None</span>"));
}

TEST_CASE("A page of a comparison says the verdict above all, and shows each case with its ratio") {
  const std::string text = page(sample_comparison());
  CHECK(holds(text, "<title>new.json against base.json</title>"));
  CHECK(holds(text, "<li><b>verdict</b> 1 pass, 1 improve, 1 regress, 1 ambiguous, 1 skipped, 1 failed"));
  CHECK(holds(text, "<th scope=\"row\">ring 4K bf16 eager</th>"));
  CHECK(holds(text, "<td class=\"bad\">regress</td>"));
  CHECK(holds(text, "<td class=\"win\">improve</td>"));
  CHECK(holds(text, "<td class=\"doubt\">ambiguous</td>"));
  CHECK(holds(text, "<summary>all 6 cases</summary>"));
}
