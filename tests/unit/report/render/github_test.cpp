#include "report/render/github.hpp"

#include "base/text.hpp"
#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::vector<std::string> annotations(const Document& document) {
  std::vector<std::string> lines = split(github_annotations(document), '\n');
  lines.pop_back();
  return lines;
}

}  // namespace

TEST_CASE("A sweep without trouble has no annotation") {
  CHECK(github_annotations(host_sweep().document).empty());
}

TEST_CASE("Errors are annotated before warnings, with evidence and remedy") {
  const std::vector<std::string> lines = annotations(troubled_sweep().document);
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].starts_with(
      "::error title=ringside probe-comm%3A rank-lost::ring 2K bf16 eager: rank 1 was killed"));
  CHECK(lines[0].find("%0Arank 0 waited for rank 1%0A") != std::string::npos);
  CHECK(lines[0].ends_with("%0Afix: look into dmesg for the out-of-memory killer"));
  CHECK(lines[3].starts_with("::warning title=ringside probe-comm%3A pinning::"));
  CHECK(lines[4].starts_with("::warning title=ringside probe-comm::interrupted"));
}

TEST_CASE("There are ten annotations at most, and the last says how many are not shown") {
  Document document;
  document.complete = true;
  for (int i = 0; i < 14; ++i)
    document.findings.push_back({"k",
                                 i < 12 ? Severity::warning : Severity::error,
                                 std::to_string(i),
                                 "m" + std::to_string(i),
                                 {},
                                 ""});
  const std::vector<std::string> lines = annotations(document);
  REQUIRE(lines.size() == 10);
  CHECK(lines[0].starts_with("::error"));
  CHECK(lines[1].starts_with("::error"));
  CHECK(lines[9].find("5 more in the summary") != std::string::npos);
}

TEST_CASE("A text can't end an annotation and begin another command") {
  Document document;
  document.complete = true;
  document.findings.push_back({"a,b:c", Severity::error, "", "100%\r\n::set-env name=X::y", {}, ""});
  const std::vector<std::string> lines = annotations(document);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("a%2Cb%3Ac::100%25\\x0d%0A::set-env") != std::string::npos);
}

TEST_CASE("The summary is the Markdown report and stays below what a step may add") {
  CHECK(github_summary(host_sweep().document) == find_writer("md")->render(host_sweep().document, {}));
  Document large;
  large.command = "probe-comm";
  large.complete = true;
  for (int i = 0; i < 3000; ++i)
    large.findings.push_back(
        {"k", Severity::error, std::to_string(i), std::string(1000, 'x'), {std::to_string(i)}, ""});
  const std::string text = github_summary(large);
  CHECK(text.size() < (1u << 20));
  CHECK(text.ends_with("(cut here: a step may add 1 MiB)\n"));
}

TEST_CASE("A regression is annotated with both looks at it, and what is faster or unclear is not") {
  const std::vector<std::string> lines = annotations(sample_comparison());
  REQUIRE(lines.size() == 4);
  CHECK(lines[3].starts_with("::warning title=ringside compare%3A times-unknown::"));
  CHECK(lines[0].starts_with("::error title=ringside compare%3A rank-lost::tree 2K bf16 eager: "));
  CHECK(lines[1].starts_with("::error title=ringside compare%3A no-longer-works::"));
  CHECK(lines[2].starts_with(
      "::error title=ringside compare%3A regression::ring 4K bf16 eager is 12.1 %25 slower than before"));
  CHECK(lines[2].find("%0Afirst look: 5 and 5 launches") != std::string::npos);
}
