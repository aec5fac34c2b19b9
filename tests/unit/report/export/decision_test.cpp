#include "report/export/decision.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/sample_document.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A sweep on GPUs in which a row's rounds scatter by 1 % around its median, in three launches.
struct GpuSweep : SampleDocument {
  explicit GpuSweep(int ranks = 8) : SampleDocument(DeviceKind::cuda, ranks) { params.mode = Mode::graph; }
  void time(const std::string& entry, Bytes bytes, double us, const char* ran = nullptr) {
    Row& row = timed(entry, bytes, us);
    if (ran != nullptr) row.ran = row.asked = ran;
    for (LaunchSamples& launch : row.launches) {
      launch.samples_ns.clear();
      for (int i = 0; i < 12; ++i) launch.samples_ns.push_back(us * 1e3 * (1 + 0.001 * (i % 5)));
    }
  }
};

GpuSweep nccl_sweep() {
  GpuSweep sweep;
  sweep.time("nccl-auto", 1_KiB, 5, "RING/LL");
  sweep.time("nccl-tree:ll", 1_KiB, 4, "TREE/LL");
  sweep.time("nccl-auto", 4_KiB, 6, "RING/LL");
  sweep.time("nccl-tree:ll", 4_KiB, 6, "TREE/LL");
  sweep.time("nccl-auto", 16_KiB, 9, "RING/SIMPLE");
  sweep.time("nccl-tree:ll", 16_KiB, 20, "TREE/LL");
  return sweep;
}

}  // namespace

TEST_CASE(
    "The tuner's CSV takes winners with their margin, keeps NCCL's choice on a tie, and cuts between sizes") {
  const GpuSweep sweep = nccl_sweep();
  const std::string text = nccl_tuner_csv(decision_basis(sweep.document));
  CHECK(holds(text, "# 1K: 1.25x (at least 1.25x)\nallreduce,1024,2048,tree,ll,-1,1,8,-1,-1\n"));
  CHECK(holds(text, "# 4K: what NCCL takes by itself\nallreduce,2049,8192,ring,ll,-1,1,8,-1,-1\n"));
  CHECK(holds(text, "# 16K: what NCCL takes by itself\nallreduce,8193,16384,ring,simple,-1,1,8,-1,-1\n"));
}

TEST_CASE("Decisions name the box that they are valid for") {
  GpuSweep sweep = nccl_sweep();
  sweep.document.machine.facts = {{"driver", "580.1\nx"}, {"nccl", "2.28.9"}, {"cores", "32"}};
  for (const DecisionFormat& format : decision_formats()) {
    const std::string text = format.render(decision_basis(sweep.document));
    CHECK(holds(text, "# machine  2 cores AMD EPYC 7B13"));
    CHECK(holds(text, "# driver   580.1\\nx\n"));
    CHECK(holds(text, "# nccl     2.28.9\n"));
    CHECK_FALSE(holds(text, "cores    32"));
    CHECK(holds(text, "# cases    allreduce bf16 graph on cuda, 8 ranks\n"));
  }
}

TEST_CASE("One setting for all sizes is chosen only when it loses at none") {
  GpuSweep sweep = nccl_sweep();
  CHECK(holds(nccl_environment(decision_basis(sweep.document)), "# Set nothing"));
  CHECK_FALSE(holds(nccl_environment(decision_basis(sweep.document)), "\nNCCL_"));
  sweep.time("nccl-ring:ll", 1_KiB, 4.5, "RING/LL");
  sweep.time("nccl-ring:ll", 4_KiB, 6, "RING/LL");
  sweep.time("nccl-ring:ll", 16_KiB, 9, "RING/LL");
  const std::string text = nccl_environment(decision_basis(sweep.document));
  CHECK(holds(text, "# nccl-ring:ll wins at 1 of 3 sizes"));
  CHECK(holds(text, "\nNCCL_ALGO=RING\nNCCL_PROTO=LL\n"));
}

TEST_CASE("Fewer than three launches decide nothing") {
  GpuSweep sweep = nccl_sweep();
  for (Row& row : sweep.document.rows) row.launches.resize(2);
  const std::string text = nccl_tuner_csv(decision_basis(sweep.document));
  CHECK_FALSE(holds(text, "tree"));
  CHECK(holds(text, "allreduce,1024,2048,ring,ll"));
}

TEST_CASE("A server's thresholds reach as far as its algorithm wins from the smallest size on") {
  GpuSweep sweep = nccl_sweep();
  for (const auto& [bytes, push, pull] :
       {std::tuple{1_KiB, 2.0, 9.0}, {4_KiB, 3.0, 9.0}, {16_KiB, 30.0, 2.0}}) {
    sweep.time("custom-push", bytes, push);
    sweep.time("custom-pull", bytes, pull);
  }
  const std::string sglang = sglang_settings(decision_basis(sweep.document));
  CHECK(holds(sglang, "one-shot push wins up to 4K, by 2.00x"));
  CHECK(holds(sglang, "\nSGLANG_FORCE_CUSTOM_ALL_REDUCE_V2_PUSH_SIZE_KB=4\n"));
  CHECK(holds(sglang, "one-shot pull: does not beat NCCL at the smallest size"));
  CHECK(holds(sglang, "\nSGLANG_CUSTOM_ALL_REDUCE_V2_MAX_SIZE_KB=4\n"));
  CHECK_FALSE(holds(sglang, "disable"));
  CHECK(holds(vllm_settings(decision_basis(sweep.document)), "custom allreduce left on"));
}

TEST_CASE("Where NCCL wins everywhere a server's own kernels are switched off") {
  GpuSweep sweep = nccl_sweep();
  for (const Bytes bytes : {1_KiB, 4_KiB, 16_KiB}) sweep.time("custom-pull", bytes, 100);
  CHECK(holds(sglang_settings(decision_basis(sweep.document)), "--disable-custom-all-reduce"));
  CHECK(holds(vllm_settings(decision_basis(sweep.document)), "--disable-custom-all-reduce"));
}

TEST_CASE("vLLM takes symmetric kernels where they win, from four ranks on") {
  for (const int ranks : {2, 4}) {
    GpuSweep sweep(ranks);
    sweep.time("nccl-auto", 1_KiB, 5, "RING/LL");
    sweep.time("nccl-symmetric", 1_KiB, 2, "SYMMETRIC/AGxLL_R");
    CHECK(holds(vllm_settings(decision_basis(sweep.document)), "\nVLLM_USE_NCCL_SYMM_MEM=1\n") ==
          (ranks == 4));
    CHECK(holds(nccl_tuner_csv(decision_basis(sweep.document)), "allreduce,1024,1024,ring,ll"));
  }
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
