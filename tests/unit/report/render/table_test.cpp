#include <algorithm>

#include "base/text.hpp"
#include "report/writer.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/sample_comparison.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string table(const SampleDocument& sample, const RenderOptions& options = {}) {
  return find_writer("table")->render(sample.document, options);
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : split(text, '\n')) widest = std::max(widest, display_width(line));
  return widest;
}

// `names.size()` strategies at five sizes; the i-th is the i-th slowest, so the last one wins. Wide
// intervals.
SampleDocument crowded_sweep(const std::vector<std::string>& names) {
  SampleDocument sample(DeviceKind::cuda, 8);
  sample.params.mode = Mode::graph;
  for (const Bytes bytes : {2_KiB, 64_KiB, 1_MiB, 16_MiB, 256_MiB}) {
    const double base = 2 + static_cast<double>(bytes.count) / 15000;
    for (std::size_t i = 0; i < names.size(); ++i) {
      Row& row = sample.timed(names[i], bytes, base * static_cast<double>(names.size() - i), 0.12);
      row.of_floor = 0.6;
    }
    if (bytes == 64_KiB) {
      sample.tie(bytes, {names[names.size() - 1], names[names.size() - 2]});
    } else {
      sample.win(bytes, names.back(), 2);
    }
  }
  return sample;
}

}  // namespace

TEST_CASE("The table of a sweep reads from the machine to the verdict") {
  const std::string text = table(host_sweep());
  CHECK(text == golden("data/golden/report/table_host.txt", text));
}

TEST_CASE("A bad day is told in the first line, in the cells and below the table") {
  const std::string text = table(troubled_sweep());
  CHECK(text == golden("data/golden/report/table_troubled.txt", text));
}

TEST_CASE("Verbose adds the command, the environment, all evidence and the notes") {
  const std::string text = table(troubled_sweep(), {.verbose = true});
  CHECK(text == golden("data/golden/report/table_troubled_verbose.txt", text));
}

TEST_CASE("Colour changes nothing but colour") {
  const std::string text = table(troubled_sweep(), {.color = true});
  CHECK(text == golden("data/golden/report/table_troubled_color.txt", text));
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  CHECK(plain == table(troubled_sweep()));
}

TEST_CASE("Six strategies with wide intervals fit side by side into 100 columns") {
  const std::string text = table(crowded_sweep(
      {"nccl-auto", "nccl-ring:ll128", "nccl-tree:simple", "nccl-symmetric", "custom-pull", "custom"}));
  CHECK(text == golden("data/golden/report/table_six.txt", text));
  CHECK(widest_line(text) <= 100);
}

TEST_CASE("More strategies than fit are spread over several tables and none is lost") {
  const std::vector<std::string> names = {"nccl-auto",        "nccl-ring:ll", "nccl-ring:ll128",
                                          "nccl-ring:simple", "nccl-tree:ll", "nccl-tree:ll128",
                                          "nccl-tree:simple", "nccl-nvls",    "nccl-symmetric",
                                          "symmetric-lsa",    "custom-pull",  "custom"};
  const std::string text = table(crowded_sweep(names));
  CHECK(text == golden("data/golden/report/table_twelve.txt", text));
  CHECK(widest_line(text) <= 100);
}

TEST_CASE("Room decides how much the table says twice, never whether a number is shown") {
  const auto sweep = crowded_sweep({"nccl-auto", "nccl-symmetric", "custom"});
  const std::string ample = table(sweep, {.width = 120});
  CHECK(ample.find("tie (custom, nccl-symmetric)") != std::string::npos);
  for (const int width : {0, 40, 60, 80, 100, 120}) {
    const std::string text = table(sweep, {.width = width});
    for (const char* number : {"6.41", "53693", "35795", "17898", "60%"}) {
      INFO("width " << width << ", number " << number);
      CHECK(text.find(number) != std::string::npos);
    }
    CHECK(widest_line(text) <= static_cast<std::size_t>(std::max(width, 40)));
  }
}

TEST_CASE("Each dtype and mode has a table and a verdict of its own") {
  SampleDocument sample;
  for (const DType dtype : {DType::bf16, DType::fp32}) {
    sample.params.dtype = dtype;
    for (const Mode mode : {Mode::eager, Mode::graph}) {
      sample.params.mode = mode;
      sample.timed("ring", 2_KiB, dtype == DType::bf16 ? 3 : 4);
      sample.timed("custom", 2_KiB, 2);
      sample.win(2_KiB, "custom", dtype == DType::bf16 ? 1.5 : 2);
    }
  }
  const std::string text = table(sample);
  CHECK(text == golden("data/golden/report/table_blocks.txt", text));
}

TEST_CASE("Numbers that were not measured are marked") {
  SampleDocument sample(DeviceKind::model, 8);
  sample.document.method.reset();
  for (const auto& [entry, us] : {std::pair{"ring", 21.0}, std::pair{"tree", 14.0}}) {
    Row& row = sample.timed(entry, 2_KiB, us);
    row.origin = Origin::modelled;
    row.time->interval95_ns.reset();
  }
  const std::string text = table(sample);
  CHECK(text == golden("data/golden/report/table_modelled.txt", text));
}

TEST_CASE("Two copies of one strategy are two columns") {
  SampleDocument sample;
  sample.timed("ring", 2_KiB, 2);
  sample.timed("ring#2", 2_KiB, 2.01);
  sample.tie(2_KiB, {"ring", "ring#2"});
  const std::string text = table(sample);
  CHECK(text.find("size   ring  ring#2") != std::string::npos);
  CHECK(text.find("  2K  =2.00   =2.01  tie (ring, ring#2)") != std::string::npos);
  CHECK(text.find("verdict  tie at 2K\n") != std::string::npos);
}

TEST_CASE("A sweep in which nothing could run says so and why") {
  SampleDocument sample;
  for (const Bytes bytes : {2_KiB, 4_KiB}) {
    sample.untimed("nvls", bytes, Status::skipped, {"not-admitted", Severity::note, "", "no NVLink", {}, ""});
  }
  const std::string text = table(sample);
  CHECK(text.find("allreduce bf16 eager, 2 ranks: no strategy ran\n") != std::string::npos);
  CHECK(text.find("skipped  nvls (all 2 cases): no NVLink\n") != std::string::npos);
}

TEST_CASE("A sanitizer build says so above its numbers") {
  SampleDocument sample = host_sweep();
  CHECK(table(sample).find("ringside 0.1.0") == std::string::npos);
  sample.document.tool.sanitizers = "address";
  CHECK(table(sample).starts_with(
      "tool     ringside 0.1.0 (4be1c2f), GNU 12.2.0, Release, CUDA 13.0, sanitizers address: slower than a\n"
      "         normal build\n"));
}

TEST_CASE("A Document without rows is its machine and its Findings") {
  SampleDocument sample;
  sample.document.method.reset();
  sample.document.findings.push_back(
      {"no-gpu", Severity::error, "device cuda", "no driver is loaded", {}, "modprobe nvidia"});
  CHECK(table(sample) ==
        "machine  2 cores AMD EPYC 7B13, 23.4 GiB, Linux 6.1.0\n"
        "\n"
        "error    device cuda: no driver is loaded\n"
        "         fix: modprobe nvidia\n");
}

TEST_CASE("The table of a comparison shows who was compared, what does not plainly pass, and the verdict") {
  const std::string text = find_writer("table")->render(sample_comparison(), {});
  CHECK(text == golden("data/golden/report/table_comparison.txt", text));
}
