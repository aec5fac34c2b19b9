#include "report/views/finding_index.hpp"
#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string junit(const Document& document) {
  return find_writer("junit")->render(document, {});
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("A good sweep in JUnit XML has a test for each case and one for the run, all passed") {
  const std::string text = junit(host_sweep().document);
  CHECK(text == golden("data/golden/report/junit_host.xml", text));
  CHECK(holds(text, "tests=\"25\" failures=\"0\" errors=\"0\" skipped=\"0\""));
}

TEST_CASE("In JUnit XML wrong data fail, lost ranks and hangs are errors, and skips say why") {
  const std::string text = junit(troubled_sweep().document);
  CHECK(text == golden("data/golden/report/junit_troubled.xml", text));
  CHECK(holds(text, "<failure type=\"wrong-data\" message=\"element 17 is 3.5 and must be 4\">"));
  CHECK(holds(text, "<error type=\"rank-lost\" message=\"rank 1 was killed by signal 9 in phase timing\">"));
  CHECK(holds(text, "<error type=\"timeout\""));
  CHECK(holds(text, "<skipped message=\"multicast needs NVLink\"/>"));
  CHECK(holds(text, "<error type=\"incomplete\""));
}

TEST_CASE("In JUnit XML of a comparison what became slower fails, what nobody can judge is skipped") {
  const std::string text = junit(sample_comparison());
  CHECK(text == golden("data/golden/report/junit_comparison.xml", text));
  CHECK(holds(text, "tests=\"7\" failures=\"1\" errors=\"1\" skipped=\"2\""));
  CHECK(holds(text, "<failure type=\"regression\" message=\"ring 4K bf16 eager is 12.1 % slower"));
  CHECK(holds(text, "<error type=\"rank-lost\""));
  CHECK(holds(text, "<skipped message=\"ambiguous: no change is shown"));
  CHECK(holds(text, "<skipped message=\"not in the base\"/>"));
}

TEST_CASE("In JUnit XML a case of the base that has no new time is an error") {
  LaunchedDocument base, now;
  base.row(2_KiB, {1, 1, 1});
  base.row(4_KiB, {1, 1, 1});
  now.row(4_KiB, {1, 1, 1});
  const std::string text =
      junit(compare({base.document, {"a"}}, {now.document, {"b"}}, std::nullopt, Sides::apart, false));
  CHECK(holds(text, "<error type=\"no-longer-measured\""));
  CHECK(holds(text, "errors=\"1\""));
}

TEST_CASE("An error that belongs to no case fails the run in JUnit XML") {
  SampleDocument sample = host_sweep();
  sample.document.findings.push_back(
      {"no-memory", Severity::error, "host", "it ended early", {"dmesg"}, "add some"});
  const std::string text = junit(sample.document);
  CHECK(holds(text,
              "<error type=\"no-memory\" message=\"it ended early\">it ended early\ndmesg\nfix: add some\n"));
  CHECK(holds(text, "errors=\"1\""));
}

TEST_CASE("A traced launch that dies as it was expected to is no failure, another outcome is") {
  Document document;
  document.command = "trace-init";
  document.complete = true;
  document.trace.emplace().outcome = "expert-location-assert";
  document.findings.push_back({"root-cause", Severity::error, "x", "no hook", {}, ""});
  CHECK(holds(junit(document), "tests=\"1\" failures=\"0\" errors=\"0\""));
  document.findings.push_back({"unexpected-outcome", Severity::error, "pass", "expected pass", {}, ""});
  CHECK(holds(junit(document), "<failure type=\"unexpected-outcome\" message=\"expected pass\">"));
}

TEST_CASE("Names in JUnit XML do not depend on what was measured") {
  SampleDocument a, b;
  a.timed("ring#2", 2_KiB, 1);
  b.timed("ring#2", 2_KiB, 99);
  const std::string name =
      "classname=\"ringside.probe-comm.allreduce.host\" name=\"ring#2 2K bf16 eager, 2 ranks\"";
  CHECK(holds(junit(a.document), name));
  CHECK(holds(junit(b.document), name));
}

TEST_CASE("What is no XML in the words of others is escaped in JUnit XML") {
  SampleDocument sample;
  sample.untimed(
      "ring", 2_KiB, Status::failed,
      {"rank-lost", Severity::error, "", "a \x1b[31m<b> & \"c\" \xff \xef\xbf\xbf ]]>", {"\x01"}, ""});
  const std::string text = junit(sample.document);
  CHECK(holds(text, "message=\"a \\x1b[31m&lt;b&gt; &amp; &quot;c&quot; \\xff \\uffff ]]&gt;\""));
  for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 || c == '\n'));
}

TEST_CASE("The reason of a row is the worst of the findings that it points to") {
  SampleDocument sample;
  sample.document.findings = {{"a", Severity::note, "", "", {}, ""},
                              {"b", Severity::error, "", "", {}, ""},
                              {"c", Severity::warning, "", "", {}, ""}};
  Row& row = sample.row("ring", 2_KiB);
  row.findings = {"a:", "nowhere:", "b:", "c:"};
  const FindingIndex findings(sample.document);
  CHECK(findings.reason(row)->kind == "b");
  row.findings.clear();
  CHECK(findings.reason(row) == nullptr);
}
