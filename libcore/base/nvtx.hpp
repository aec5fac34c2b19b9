#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ringside {

// Ranges on the time line of a profiler such as Nsight Systems, in the domain "ringside". With no profiler
// attached, and in a build that found no nvtx3 headers, all of it does nothing.

// Whether this build has NVTX.
bool has_nvtx();

// A string that the profiler knows by a handle: captures can start at registered strings only. The profiler
// keeps it until the process ends, so make one for each text, not one for each range.
class NvtxName {
 public:
  explicit NvtxName(const std::string& text);
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

// The names of one user, each registered once.
class NvtxNames {
 public:
  const NvtxName& operator[](const std::string& text) { return names_.try_emplace(text, text).first->second; }

 private:
  std::map<std::string, NvtxName> names_;
};

// How the profiler calls the thread that calls this.
void name_thread_for_nvtx(const std::string& name);

// Open from its construction to its end, on the thread that makes it; ranges of a thread are nested.
// `payload` is a number beside the name, such as a size in bytes or an iteration.
class NvtxRange {
 public:
  explicit NvtxRange(const NvtxName& name, std::int64_t payload = 0);
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
  ~NvtxRange();
};

}  // namespace ringside
