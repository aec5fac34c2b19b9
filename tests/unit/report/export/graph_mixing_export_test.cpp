#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/gpu_exports.hpp"

using namespace ringside;
using namespace ringside::test;

namespace {

// NCCL's own choice without graph mixing beside that with it: as one_setting(), `at_1k` us at 1K.
GpuSweep without_mixing(double at_1k) {
  GpuSweep sweep = one_setting("nccl-auto:nomix", "RING/LL");
  for (Row& row : sweep.document.rows) {
    if (row.params.strategy != "nccl-auto:nomix") continue;
    row.setting = "NCCL_GRAPH_MIXING_SUPPORT=0";
    row.asked = "auto";
    if (row.params.bytes != 1_KiB) continue;
    for (LaunchSamples& launch : row.launches) {
      for (double& sample : launch.samples_ns) sample *= at_1k / 4.5;
    }
  }
  return sweep;
}

}  // namespace

TEST_CASE("Graph mixing is never switched off, and a comment says where that would win") {
  const std::string text = environment(without_mixing(3));
  CHECK(settings(text).empty());
  CHECK(text.find("NCCL_GRAPH_MIXING_SUPPORT=0") != std::string::npos);
  CHECK(holds(text, "For one graph at a time and no other NCCL call while"));
  CHECK(environment(without_mixing(6)).find("MIXING") == std::string::npos);  // slower at 1K
}

TEST_CASE("An algorithm that wins is set beside a comment about graph mixing") {
  GpuSweep sweep = without_mixing(3);
  for (const Bytes bytes : {1_KiB, 4_KiB})
    sweep.time("nccl-ring:ll", bytes, bytes == 1_KiB ? 4.5 : 6, "RING/LL");
  sweep.time("nccl-ring:ll", 64_MiB, 9, "RING/LL");
  const std::string text = environment(sweep);
  CHECK(settings(text) == std::vector<std::string>{"NCCL_ALGO=allreduce:ring", "NCCL_PROTO=allreduce:ll"});
  CHECK(text.find("NCCL_GRAPH_MIXING_SUPPORT=0") != std::string::npos);
}

TEST_CASE("Rows that took no turns with NCCL's choice decide nothing") {
  GpuSweep sweep = without_mixing(3);
  for (Row& row : sweep.document.rows) {
    if (!row.setting) continue;
    for (LaunchSamples& launch : row.launches) launch.turn_group = 1;
  }
  CHECK(settings(environment(sweep)).empty());
}

TEST_CASE("A tuner can't switch off graph mixing, and no server is taken for having done so") {
  GpuSweep sweep = tuner_sweep();
  for (const Bytes bytes : {1_KiB, 4_KiB, 16_KiB, 16_MiB})
    sweep.time("nccl-auto:nomix", bytes, 1, "RING/LL").setting = "NCCL_GRAPH_MIXING_SUPPORT=0";
  CHECK(tuner(sweep) == tuner(tuner_sweep()));
  GpuSweep pair(2);
  for (Bytes bytes = 2_KiB; bytes <= 16_MiB; bytes.count *= 2) {
    pair.time("nccl-auto", bytes, 9, "RING/LL");
    pair.time("custom-push", bytes, 5);
    pair.time("custom-pull", bytes, 5);
    Row& row = pair.time("nccl-auto:nomix", bytes, 1, "RING/LL");
    row.params.family = "nccl-auto";
    row.setting = "NCCL_GRAPH_MIXING_SUPPORT=0";
  }
  for (Row& row : pair.document.rows) {
    if (row.params.strategy == "nccl-auto" && row.params.bytes == 4_KiB) row.status = Status::failed;
  }
  CHECK(settings(server_settings(decision_basis(pair.document), "sglang", "")).empty());
}
