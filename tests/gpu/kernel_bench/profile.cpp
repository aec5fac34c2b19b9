#include "gpu/kernel_bench/profile.hpp"

#include <cuda_profiler_api.h>

#include <cstdio>

namespace ringside::bench {
namespace {

constexpr int kCalls = 122;  // of a graph
constexpr std::size_t kSmall = std::size_t{1} << 20;

// Small calls take so many that the first one's wait for the other ranks is a small part.
int replays(std::size_t bytes) {
  return bytes <= kSmall ? 400 : 10;
}

void profile_one(Lab& lab, const Family& family, std::size_t bytes) {
  Ranks& ranks = lab.ranks();
  const CallData data{lab.inputs(), lab.outputs(), bytes / 2, kernels::Element::bf16};
  const kernels::LaunchShape shape = family.shape(bytes, ranks.size(), lab.multiprocessors());
  const cudaGraphExec_t graph = lab.capture([&] {
    for (int call = 0; call < kCalls; ++call) lab.launch(family, data, shape);
  });
  const auto replay = [&](int times) {
    ranks.barrier();
    for (int i = 0; i < times; ++i) check(cudaGraphLaunch(graph, lab.stream()), "cudaGraphLaunch");
    lab.finish();
  };
  replay(1);  // warms up
  if (ranks.rank() == 0) check(cudaProfilerStart(), "cudaProfilerStart");
  replay(replays(bytes));
  if (ranks.rank() == 0) {
    check(cudaProfilerStop(), "cudaProfilerStop");
    std::printf("range %zu %.*s %d\n", bytes, static_cast<int>(family.name.size()), family.name.data(),
                kCalls * replays(bytes));
    std::fflush(stdout);
  }
  ranks.barrier();
  check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

}  // namespace

void profile(Lab& lab, std::string_view family, std::span<const std::size_t> sizes) {
  for (const Family* chosen : find_families(family)) {
    for (const std::size_t bytes : sizes) {
      if (bytes <= chosen->largest_message) profile_one(lab, *chosen, bytes);
    }
  }
}

}  // namespace ringside::bench
