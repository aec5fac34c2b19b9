#pragma once

#include <climits>
#include <cstddef>

namespace ringside {

// ncclConfig_t as NCCL 2.29 has it (src/nccl.h.in of 2.29.2), declared here so that older headers will do. A
// later NCCL takes as many bytes as `size` says and the rest as unset (parseCommConfig in src/init.cc, 2.29.2
// to 2.30.7); an earlier one knows no graph_usage_mode.
struct NcclConfig {
  static constexpr int kUnset = INT_MIN;
  // graph_usage_mode: one graph at a time, and no other calls beside it. 2, the default, is several or both.
  static constexpr int kOneGraph = 1;

  std::size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 22902;
  int blocking = kUnset;
  int cga_cluster_size = kUnset;
  int min_ctas = kUnset;
  int max_ctas = kUnset;
  const char* net_name = nullptr;
  int split_share = kUnset;
  int traffic_class = kUnset;
  const char* comm_name = nullptr;
  int collnet_enable = kUnset;
  int cta_policy = kUnset;
  int shrink_share = kUnset;
  int nvls_ctas = kUnset;
  int channels_per_net_peer = kUnset;
  int nvlink_centric_sched = kUnset;
  int graph_usage_mode = kUnset;
  int num_rma_ctx = kUnset;
};

}  // namespace ringside
