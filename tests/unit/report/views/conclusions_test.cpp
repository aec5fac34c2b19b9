#include "report/views/conclusions.hpp"

#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using test::SampleDocument;

TEST_CASE("Cases skipped for one reason are one line that says who and which") {
  SampleDocument sample;
  const Finding reason{"not-admitted", Severity::note, "", "no NVLink", {}, ""};
  for (const Bytes bytes : {2_KiB, 4_KiB, 8_KiB}) {
    for (const char* entry : {"nvls", "multicast"}) sample.untimed(entry, bytes, Status::skipped, reason);
    if (bytes == 2_KiB) {
      sample.timed("push", bytes, 2);
    } else {
      sample.untimed("push", bytes, Status::skipped,
                     {"not-admitted", Severity::note, "", "too large", {}, ""});
    }
  }
  const Conclusions conclusions = conclude(sample.document);
  REQUIRE(conclusions.skipped.size() == 2);
  CHECK(conclusions.skipped[0].sentence() == "nvls, multicast (all 6 cases): no NVLink");
  CHECK(conclusions.skipped[1].sentence() == "push (2 of 3 cases: 4K, 8K): too large");
  CHECK(conclusions.findings.empty());
}

TEST_CASE("A skipped case without a reason is not passed over") {
  SampleDocument sample;
  sample.row("nvls", 2_KiB, Status::skipped);
  CHECK(conclude(sample.document).skipped.at(0).sentence() == "nvls (its one case): no reason was recorded");
}

TEST_CASE(
    "A Finding that a failed row has too is told among the Findings, although cases were skipped for it") {
  SampleDocument sample;
  sample.document.findings.push_back({"timeout", Severity::warning, "tree", "no answer, twice", {}, ""});
  sample.row("tree", 2_KiB, Status::timeout).findings = {"timeout:tree"};
  sample.row("tree", 4_KiB, Status::skipped).findings = {"timeout:tree"};
  const Conclusions conclusions = conclude(sample.document);
  CHECK(conclusions.skipped.size() == 1);
  REQUIRE(conclusions.findings.size() == 1);
  CHECK(conclusions.findings[0].sentence() == "tree: no answer, twice");
}

TEST_CASE("Findings come by severity, and those that say the same of several subjects are one") {
  SampleDocument sample;
  sample.document.findings = {{"pinning", Severity::note, "rank 0", "not pinned", {}, ""},
                              {"pinning", Severity::note, "rank 1", "not pinned", {}, ""},
                              {"clock", Severity::warning, "core 0", "core 0 is throttled", {}, ""},
                              {"rank-lost", Severity::error, "rank 1", "killed", {}, ""},
                              {"winner", Severity::note, "2K bf16 eager", "ring is the fastest", {}, ""}};
  const Conclusions conclusions = conclude(sample.document);
  REQUIRE(conclusions.findings.size() == 4);
  CHECK(conclusions.findings[0].sentence() == "rank 1: killed");
  CHECK(conclusions.findings[1].sentence() == "core 0 is throttled");
  CHECK(conclusions.findings[2].sentence() == "rank 0, rank 1: not pinned");
  CHECK(conclusions.untold_notes() == 1);
}
