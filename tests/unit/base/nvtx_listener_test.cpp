#include "base/nvtx_listener.hpp"

#include <dlfcn.h>

#include "base/nvtx.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

// Loaded after hear_libraries(), as NCCL is.
class Library {
 public:
  Library() {
    hear_libraries();
    handle_ = ::dlopen(RINGSIDE_FAKES_DIR "/nvtx_library.so", RTLD_NOW | RTLD_LOCAL);
  }
  void call(const char* name) const {
    auto* function = reinterpret_cast<void (*)()>(::dlsym(handle_, name));
    REQUIRE(function != nullptr);
    function();
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace

TEST_CASE("a listener adds up the ranges of its domain, those closed with a payload too") {
  if (!has_nvtx()) return;
  const Library library;
  const NvtxListener listener("NCCL");
  CHECK(listener.ranges().empty());
  library.call("init_rank");
  library.call("elsewhere");
  library.call("all_reduce");
  const std::vector<HeardRange> ranges = listener.ranges();
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].name == "ncclCommInitRank");
  CHECK(ranges[0].count == 1);
  CHECK(ranges[0].time_ns >= 7e6);  // with the call inside it
  CHECK(ranges[1].name == "ncclAllReduce");
  CHECK(ranges[1].count == 2);
  CHECK(ranges[1].time_ns >= 4e6);
}

TEST_CASE("a listener hears nothing of before and after its life") {
  if (!has_nvtx()) return;
  const Library library;
  library.call("all_reduce");
  {
    const NvtxListener listener("NCCL");
    CHECK(listener.ranges().empty());
  }
  library.call("all_reduce");
  const NvtxListener listener("NCCL");
  CHECK(listener.ranges().empty());
}
