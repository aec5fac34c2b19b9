#include "report/export/decision.hpp"

#include "base/errors.hpp"
#include "base/text.hpp"
#include "support/catch.hpp"
#include "support/gpu_exports.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

std::string server(const GpuSweep& sweep, const char* framework, const char* version = "") {
  return server_settings(decision_basis(sweep.document), framework, version);
}

// Two GPUs with what SGLang and vLLM would take there and NCCL's choice; times of a size in us.
struct PairTimes {
  Bytes bytes;
  double nccl, push, pull;
};
GpuSweep pair_sweep(const std::vector<PairTimes>& times, const std::string& capability = "9.0",
                    const std::string& link = "NVLink 4, 18 links to a switch") {
  GpuSweep sweep(2, capability, link);
  for (const PairTimes& t : times) {
    sweep.time("nccl-auto", t.bytes, t.nccl, "RING/LL");
    sweep.time("custom-push", t.bytes, t.push);
    sweep.time("custom-pull", t.bytes, t.pull);
  }
  return sweep;
}

}  // namespace

TEST_CASE("The tuner's CSV has the channels that NCCL used, at every size, and cuts between sizes") {
  const std::string text = tuner(tuner_sweep());
  CHECK(holds(text, "# 1K: 1.25x (at least 1.25x)\nallreduce,1024,2048,tree,ll,1,1,8,-1,-1\n"));
  CHECK(holds(text, "allreduce,2049,8192,ring,ll,2,1,8,-1,-1\n"));
  CHECK(holds(text, "allreduce,8193,524288,ring,simple,16,1,8,-1,-1\n"));
}

TEST_CASE("The tuner's CSV never leaves the channels to the plug-in, which would take one") {
  GpuSweep sweep = tuner_sweep();
  for (Row& row : sweep.document.rows) {
    if (row.params.strategy == "nccl-tree:ll" && row.params.bytes == 1_KiB) row.channels.reset();
  }
  CHECK(settings(tuner(sweep)).empty());
  CHECK(holds(tuner(sweep),
              "# 1K: nccl-tree:ll wins by 1.25x (at least 1.25x), but the channels that it used are "
              "not known: no line\n"));
  GpuSweep gap = tuner_sweep();
  for (Row& row : gap.document.rows) {
    if (row.params.strategy == "nccl-auto" && row.params.bytes == 16_KiB) row.ran = "RING/LL, RING/SIMPLE";
  }
  CHECK(settings(tuner(gap)).empty());
  CHECK(
      holds(tuner(gap), "# 16K: NCCL's own choice stands, but what NCCL ran there is not known: no line\n"));
  CHECK_FALSE(holds(tuner(gap), "\nallreduce,"));
}

TEST_CASE("Launches with other rounds on the two sides decide nothing, and break nothing") {
  GpuSweep sweep = tuner_sweep();
  for (Row& row : sweep.document.rows) {
    if (row.params.strategy == "nccl-tree:ll")
      for (LaunchSamples& launch : row.launches) launch.samples_per_round = 5;
  }
  CHECK(settings(tuner(sweep)).empty());
  CHECK(settings(environment(sweep)).empty());
}

TEST_CASE("A sweep that ends early gives the tuner no line: larger messages would get one channel") {
  CHECK(settings(tuner(nccl_sweep())).empty());
  CHECK(holds(tuner(nccl_sweep()), "# No line: nothing above 16K was measured"));
}

TEST_CASE("An NCCL for which every example plug-in crashes or reads no file gets no line") {
  for (const char* version : {"2.27.7", "none: no such file"}) {
    GpuSweep sweep = tuner_sweep();
    sweep.fact("nccl", version);
    CHECK(settings(tuner(sweep)).empty());
    CHECK(holds(tuner(sweep),
                "The example plug-in is safe from 2.30.3 on, and NCCL takes that one since 2.28."));
  }
}

TEST_CASE("Where nothing wins the tuner's CSV has no line") {
  GpuSweep sweep = tuner_sweep();
  for (Row& row : sweep.document.rows) row.launches.resize(2);
  CHECK(settings(tuner(sweep)).empty());
  CHECK(holds(tuner(sweep), "# No line: undecided, 2 of 3 launches"));
  CHECK(holds(tuner(sweep), "Don't load the plug-in"));
  CHECK(holds(environment(sweep), "# Set nothing: undecided, 2 of 3 launches."));
  GpuSweep slower = tuner_sweep();
  for (const Bytes bytes : {1_KiB, 4_KiB}) slower.time("nccl-tree:ll", bytes, 50, "TREE/LL");
  slower.document.rows.erase(slower.document.rows.begin() + 1);
  CHECK(holds(tuner(slower), "# No line: nothing is faster than nccl-auto at any size beyond doubt."));
}

TEST_CASE("A kernel on symmetric memory is nothing that a tuner can choose") {
  GpuSweep sweep = tuner_sweep();
  sweep.time("nccl-symmetric", 1_KiB, 1, "SYMMETRIC/AGxLL_R");
  CHECK(holds(tuner(sweep), "allreduce,1024,2048,tree,ll,1,"));
}

TEST_CASE(
    "A protocol that NCCL itself would not take is no line for the tuner, which would leave one channel") {
  GpuSweep sweep = tuner_sweep();
  sweep.time("nccl-ring:ll128", 1_KiB, 3, "RING/LL128");
  CHECK(holds(tuner(sweep), "allreduce,1024,2048,ring,ll128,2,"));
  sweep.fact("gpu1_link", "PCIe 5.0 x16");
  CHECK(holds(tuner(sweep), "allreduce,1024,2048,tree,ll,1,"));
}

TEST_CASE("No line of an export is longer than the plug-in's buffer, whatever the command was") {
  GpuSweep sweep = nccl_sweep();
  std::string list = "nccl-auto";
  for (int i = 0; i < 60; ++i) list += ",nccl-ring:ll";
  sweep.document.argv = {"ringside", "probe-comm",          "--strategy",
                         list,       std::string(700, 'x'), "\xC3\xA4\xC3\xB6"};
  sweep.document.machine.name = std::string(400, 'm');
  for (const DecisionFormat& format : decision_formats()) {
    for (const std::string& line : split(format.render(decision_basis(sweep.document), ""), '\n')) {
      INFO(line);
      CHECK(line.size() < kLongestLine);
      CHECK((line.empty() || line.starts_with("# ") || line.starts_with("allreduce,1") ||
             line.starts_with("allreduce,2") || line.starts_with("allreduce,8")));
    }
  }
}

TEST_CASE("Decisions name the box that they are valid for") {
  GpuSweep sweep = nccl_sweep();
  sweep.fact("driver", "580.1\nx");
  for (const DecisionFormat& format : decision_formats()) {
    const std::string text = format.render(decision_basis(sweep.document), "");
    CHECK(holds(text, "# machine  2 cores AMD EPYC 7B13"));
    CHECK(holds(text, "# driver   580.1\\nx\n"));
    CHECK(holds(text, "# nccl     2.28.9\n"));
    CHECK_FALSE(holds(text, "cores    32"));
    CHECK(holds(text, "# cases    allreduce bf16 graph on cuda, 8 ranks\n"));
  }
}

TEST_CASE("One setting for all sizes is for allreduces alone, and only where it is slower at none") {
  CHECK(settings(environment(nccl_sweep(64_MiB))).empty());
  CHECK(settings(environment(one_setting("nccl-ring:ll", "RING/LL"))) ==
        std::vector<std::string>{"NCCL_ALGO=allreduce:ring", "NCCL_PROTO=allreduce:ll"});
  CHECK(holds(environment(one_setting("nccl-ring:ll", "RING/LL")), "# nccl-ring:ll wins at 1 of 3 sizes"));
  GpuSweep any = one_setting("nccl-tree", "TREE/LL");
  for (Row& row : any.document.rows) {
    if (row.params.strategy == "nccl-tree") row.asked = "TREE";
  }
  CHECK(settings(environment(any)) == std::vector<std::string>{"NCCL_ALGO=allreduce:tree"});
}

TEST_CASE("Before NCCL 2.24, or with an unknown one, no variable is for allreduces alone") {
  for (const char* version : {"2.23.4", "none: no such file"}) {
    GpuSweep sweep = one_setting("nccl-ring:ll", "RING/LL");
    sweep.fact("nccl", version);
    CHECK(settings(environment(sweep)).empty());
    CHECK(holds(environment(sweep), "# Set nothing: "));
  }
  GpuSweep sweep = one_setting("nccl-ring:ll", "RING/LL");
  sweep.fact("nccl", "2.24.3");
  CHECK(settings(environment(sweep)).size() == 2);
}

TEST_CASE("A protocol or algorithm that isn't supported everywhere is not set") {
  CHECK(settings(environment(one_setting("nccl-ring:ll128", "RING/LL128"))).size() == 2);
  GpuSweep pcie = one_setting("nccl-ring:ll128", "RING/LL128");
  pcie.fact("gpu0_link", "PCIe 5.0 x16");
  CHECK(settings(environment(pcie)).empty());
  CHECK(holds(environment(pcie), "LL128 needs NVLink"));
  const std::string nvls = environment(one_setting("nccl-nvls", "NVLS/SIMPLE"));
  CHECK(settings(nvls).empty());
  CHECK(holds(nvls, "NVLS has no fallback"));
  CHECK(settings(environment(one_setting("nccl-symmetric", "SYMMETRIC/AGxLL_R"))).empty());
}

TEST_CASE("A setting for every size is not decided by small messages, few launches or another algorithm") {
  GpuSweep small = nccl_sweep();
  for (const Bytes bytes : {1_KiB, 4_KiB, 16_KiB}) small.time("nccl-ring:ll", bytes, 4, "RING/LL");
  CHECK(settings(environment(small)).empty());
  CHECK(holds(environment(small), "nothing above 16K was measured; measure up to 16M"));
  GpuSweep few = one_setting("nccl-ring:ll", "RING/LL");
  for (Row& row : few.document.rows) row.launches.resize(1);
  CHECK(settings(environment(few)).empty());
  GpuSweep other = one_setting("nccl-ring:ll", "RING/LL");
  for (Row& row : other.document.rows) {
    if (row.params.strategy == "nccl-ring:ll" && row.params.bytes == 4_KiB) row.ran = "RING/SIMPLE";
  }
  CHECK(settings(environment(other)).empty());
}

TEST_CASE("A server that takes the fastest way by itself gets no setting") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 64_KiB; bytes.count *= 2) times.push_back({bytes, 6, 2, 4});
  const std::string text = server(pair_sweep(times), "sglang");
  CHECK(settings(text).empty());
  CHECK(holds(text, "# server   SGLang main of 2026-08-20, the newest that was read"));
  CHECK(holds(text, "# 2K to 64K: custom-v2 (one-shot push); custom-push stands for it\n"));
  CHECK(holds(
      text,
      "# --disable-custom-all-reduce: 2K to 64K: nccl in place of custom-v2 (one-shot push): slower\n"));
  CHECK(holds(text, "# nothing to set, because no switch of SGLang"));
  CHECK_FALSE(holds(text, "SIZE_KB"));
}

TEST_CASE("Where NCCL is faster at every size that changes, a server's own kernels are switched off") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 6, 20, 40});
  const std::string pcie = "PCIe 5.0 x16";
  const std::vector<std::string> off = {"# start the server with --disable-custom-all-reduce"};
  CHECK(settings(server(pair_sweep(times, "12.0", pcie), "vllm")) == off);
  CHECK(settings(server(pair_sweep(times, "12.0", pcie), "sglang", "0.5.9")) == off);
  times.erase(times.begin() + 6, times.end());  // up to 64K: what becomes of larger ones is not known
  const std::string text = server(pair_sweep(times, "12.0", pcie), "vllm");
  CHECK(settings(text).empty());
  CHECK(holds(text,
              "# --disable-custom-all-reduce: 128K to 4M: pynccl in place of custom (one-shot pull): not "
              "measured\n"));
}

TEST_CASE(
    "A variable is set where it is faster at some sizes and slower at none, and not for a version that lacks "
    "it") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 4, 4, 2});
  CHECK(settings(server(pair_sweep(times), "sglang")) ==
        std::vector<std::string>{"SGLANG_OPT_USE_CUSTOM_ALL_REDUCE_V2=0"});
  CHECK(settings(server(pair_sweep(times), "sglang", "0.5.9")).empty());
  times.back().nccl = 5;  // which it would take at 16M
  CHECK(settings(server(pair_sweep(times), "sglang")).empty());
}

TEST_CASE("One launch leaves a server's way undecided, and is not told as a loss") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 6, 20, 40});
  GpuSweep sweep = pair_sweep(times, "12.0", "PCIe 5.0 x16");
  for (Row& row : sweep.document.rows) row.launches.resize(1);
  const std::string text = server(sweep, "vllm");
  CHECK(settings(text).empty());
  CHECK(holds(text, "pynccl in place of custom (one-shot pull): undecided, 1 of 3 launches\n"));
  CHECK_FALSE(holds(text, "beat"));
}

TEST_CASE("Launches that overlap too widely leave it undecided as well") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 6, 20, 6});
  GpuSweep sweep = pair_sweep(times, "12.0", "PCIe 5.0 x16");
  for (Row& row : sweep.document.rows) {
    for (LaunchSamples& launch : row.launches) {
      for (std::size_t i = 0; i < launch.samples_ns.size(); ++i)
        launch.samples_ns[i] *= row.params.strategy == "nccl-auto" && i % 2 == 0 ? 1.5 : 0.9;
    }
  }
  CHECK(holds(server(sweep, "vllm"), "undecided, the intervals overlap\n"));
  CHECK(settings(server(sweep, "vllm")).empty());
}

TEST_CASE("NCCL on symmetric memory is for vLLM's versions and ranks that take it") {
  const auto sweep = [](int ranks) {
    GpuSweep made(ranks);
    for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) {
      made.time("nccl-auto", bytes, 9, "RING/LL");
      made.time("nccl-symmetric", bytes, 2, "SYMMETRIC/AGxLL_R");
      made.time("custom-pull", bytes, 5);
    }
    made.time("nccl-nvls", 2_KiB, 9, "NVLS/SIMPLE");
    return made;
  };
  CHECK(settings(server(sweep(2), "vllm")).empty());
  // At 8 ranks it would also take messages from vLLM's two-shot kernel and PyTorch, for which nothing stands.
  const std::string eight = server(sweep(8), "vllm");
  CHECK(settings(eight).empty());
  CHECK(holds(eight,
              "# VLLM_USE_NCCL_SYMM_MEM=1: 2K to 16K, 128K: nccl-symm-mem in place of custom (one-shot "
              "pull): faster\n"));
  CHECK(holds(eight, "torch-symm-mem is not measured here"));
  CHECK_FALSE(holds(server(sweep(8), "vllm", "0.12.0"), "nccl-symm-mem in place of custom (one-shot pull)"));
}

TEST_CASE("What the machine doesn't show is named, and nothing is set for it") {
  std::vector<PairTimes> times = {{2_KiB, 6, 20, 40}, {16_MiB, 60, 200, 400}};
  GpuSweep sweep = pair_sweep(times);
  const std::string text = server(sweep, "vllm");
  CHECK(holds(text, "# 16M: not known: whether the GPUs can use multicast\n"));
  CHECK(settings(text).empty());
  sweep.document.machine.facts = {{"nccl", "2.28.9"}};
  CHECK(holds(server(sweep, "vllm"), "not known: how the GPUs are linked"));
}

TEST_CASE("What a server switches off in NCCL is not taken for its NCCL") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 6, 20, 40});
  GpuSweep sweep = pair_sweep(times);
  CHECK(settings(server(sweep, "sglang")).size() == 1);
  for (Row& row : sweep.document.rows) {
    if (row.params.strategy == "nccl-auto") row.ran = "NVLS/SIMPLE";
  }
  const std::string text = server(sweep, "sglang");
  CHECK(settings(text).empty());
  CHECK(holds(text, "nccl in place of custom-v2 (one-shot push): not measured\n"));
}

TEST_CASE("A version that was not read gets no setting, and one that is none is refused") {
  std::vector<PairTimes> times;
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) times.push_back({bytes, 6, 20, 40});
  const GpuSweep sweep = pair_sweep(times, "12.0", "PCIe 5.0 x16");
  const std::string newer = server(sweep, "vllm", "2027-01-01");
  CHECK(settings(newer).empty());
  CHECK(holds(
      newer, "# nothing to set, because rules read up to main of 2026-08-17; yours is newer: not checked\n"));
  CHECK(settings(server(sweep, "vllm", "0.5.0")).empty());
  CHECK(settings(server(sweep, "vllm", "0.12.0")).size() == 1);
  CHECK(holds(server(sweep, "vllm", "0.15.0"), "the day of 0.15.0 is not known here"));
  CHECK_THROWS_AS(server(sweep, "vllm", "latest"), UsageError);
}

TEST_CASE("Graphs decide before eager calls, and without NCCL there is nothing to decide") {
  GpuSweep sweep;
  sweep.params.mode = Mode::eager;
  sweep.time("nccl-auto", 1_KiB, 50);
  CHECK(decision_basis(sweep.document).block.mode == Mode::eager);
  sweep.params.mode = Mode::graph;
  sweep.time("nccl-auto", 1_KiB, 5);
  CHECK(decision_basis(sweep.document).block.mode == Mode::graph);
  CHECK_THROWS_AS(decision_basis(host_sweep().document), UsageError);
}
