#pragma once

#include <string>

#include "support/sample_document.hpp"

namespace ringside::test {

// A sweep on GPUs in which a row's rounds scatter by 1 % around its median, in three launches.
struct GpuSweep : SampleDocument {
  explicit GpuSweep(int ranks = 8, const std::string& capability = "9.0",
                    const std::string& link = "NVLink 4, 18 links to a switch")
      : SampleDocument(DeviceKind::cuda, ranks) {
    params.mode = Mode::graph;
    auto& facts = document.machine.facts;
    facts = {{"driver", "580.1"}, {"cores", "32"}};
    for (const char* gpu : {"gpu0", "gpu1"}) {
      facts.emplace_back(std::string(gpu) + "_compute_capability", capability);
      facts.emplace_back(std::string(gpu) + "_link", link);
    }
    facts.emplace_back("gpu0_to_gpu1", "access, native atomics, performance rank 0");
    facts.emplace_back("gpu1_to_gpu0", "access, native atomics, performance rank 0");
    facts.emplace_back("nccl", "2.28.9");
  }
  void fact(const std::string& name, const std::string& value) {
    for (auto& [known, text] : document.machine.facts) {
      if (known == name) text = value;
    }
  }
  Row& time(const std::string& entry, Bytes bytes, double us, const char* ran = nullptr, int channels = 2) {
    Row& row = timed(entry, bytes, us);
    if (ran != nullptr) {
      row.ran = row.asked = ran;
      if (channels > 0) row.channels = channels;
    }
    for (LaunchSamples& launch : row.launches) {
      launch.samples_ns.clear();
      for (int i = 0; i < 12; ++i) launch.samples_ns.push_back(us * 1e3 * (1 + 0.001 * (i % 5)));
    }
    return row;
  }
};

inline GpuSweep nccl_sweep(Bytes largest = 16_KiB) {
  GpuSweep sweep;
  sweep.time("nccl-auto", 1_KiB, 5, "RING/LL");
  sweep.time("nccl-tree:ll", 1_KiB, 4, "TREE/LL", 1);
  sweep.time("nccl-auto", 4_KiB, 6, "RING/LL");
  sweep.time("nccl-tree:ll", 4_KiB, 6, "TREE/LL");
  sweep.time("nccl-auto", largest, 9, "RING/SIMPLE", 16);
  sweep.time("nccl-tree:ll", largest, 20, "TREE/LL");
  return sweep;
}

// The tuner's file has lines only where large messages were measured as well.
inline GpuSweep tuner_sweep() {
  GpuSweep sweep = nccl_sweep();
  sweep.time("nccl-auto", 16_MiB, 300, "RING/SIMPLE", 16);
  sweep.time("nccl-tree:ll", 16_MiB, 600, "TREE/LL");
  return sweep;
}

}  // namespace ringside::test
