#include "device/cuda/nccl/nccl_config.hpp"

#include <nccl.h>

// As far as the header that is there goes.
namespace ringside {

#ifdef NCCL_API_MAGIC
static_assert(NCCL_API_MAGIC == NcclConfig{}.magic);
#endif
#if NCCL_VERSION_CODE >= 22800
static_assert(offsetof(NcclConfig, nvlink_centric_sched) == offsetof(ncclConfig_t, nvlinkCentricSched));
#endif
#if NCCL_VERSION_CODE >= 22900
static_assert(offsetof(NcclConfig, graph_usage_mode) == offsetof(ncclConfig_t, graphUsageMode));
static_assert(sizeof(NcclConfig) <= sizeof(ncclConfig_t));
#endif

}  // namespace ringside
