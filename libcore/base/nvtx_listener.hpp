#pragma once

#include <string>
#include <vector>

#include "base/heard_range.hpp"

namespace ringside {

// What a library does by its own account: NCCL, for one, marks most calls of its API with an NVTX range.
// A profiler hears these ranges; where there is none, this process can hear them itself.

// Libraries that make their first NVTX call from now on tell their ranges to this process. Not where
// NVTX_INJECTION64_PATH is set (a profiler is there, and it alone hears them), nor in a build without NVTX
// headers; where those have no nvToolsExtPayload.h, ranges that are closed with a payload, as NCCL's inits,
// go unheard. It sets an environment variable: call it while no other thread can read one.
void hear_libraries();

// Adds up the ranges that close on any thread from its construction to its end. Out of its life libraries
// find nobody to tell of a range that they open: what they do then is timed as without any of this. One at a
// time.
class NvtxListener {
 public:
  explicit NvtxListener(const std::string& domain);  // "NCCL": that of the ranges to hear
  NvtxListener(const NvtxListener&) = delete;
  NvtxListener& operator=(const NvtxListener&) = delete;
  ~NvtxListener();

  std::vector<HeardRange> ranges() const;  // closed ones, in the order in which they were opened first
};

}  // namespace ringside
