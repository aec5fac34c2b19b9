#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string markdown(const SampleDocument& sample, const RenderOptions& options = {}) {
  return find_writer("md")->render(sample.document, options);
}

}  // namespace

TEST_CASE("A sweep in Markdown fits into an issue") {
  const std::string text = markdown(host_sweep());
  CHECK(text == golden("data/golden/report/md_host.md", text));
}

TEST_CASE("A bad day in Markdown lists errors, warnings and what was skipped") {
  const std::string text = markdown(troubled_sweep());
  CHECK(text == golden("data/golden/report/md_troubled.md", text));
}

TEST_CASE("Verbose Markdown has all evidence and the notes") {
  const std::string text = markdown(troubled_sweep(), {.verbose = true});
  CHECK(text.find("  - links: none\n") != std::string::npos);
  CHECK(text.find("- **note** ") != std::string::npos);
}

TEST_CASE("Nothing that somebody named can break the Markdown table or become markup") {
  SampleDocument sample;
  sample.document.machine.name = "a|b <img> *x* `y` & _z_\nnext";
  sample.timed("odd|name", 2_KiB, 1);
  const std::string text = markdown(sample);
  CHECK(text.find("a\\|b \\<img\\> \\*x\\* \\`y\\` &amp; \\_z\\_\\\\nnext") != std::string::npos);
  CHECK(text.find("| size | odd\\|name | busbw GB/s |") != std::string::npos);
}

TEST_CASE("A comparison in Markdown begins with its verdict and lists what does not plainly pass") {
  const std::string text = find_writer("md")->render(sample_comparison(), {});
  CHECK(text == golden("data/golden/report/md_comparison.md", text));
  CHECK(text.find("ring 2K bf16 eager") == std::string::npos);
  const std::string all = find_writer("md")->render(sample_comparison(), {.verbose = true});
  CHECK(all.find("| ring 2K bf16 eager |") != std::string::npos);
}
