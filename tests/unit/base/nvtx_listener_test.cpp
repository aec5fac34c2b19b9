#include "base/nvtx_listener.hpp"

#include <dlfcn.h>

#include <thread>

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
  int call(const char* name) const {
    auto* function = reinterpret_cast<int (*)()>(::dlsym(handle_, name));
    REQUIRE(function != nullptr);
    return function();
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

TEST_CASE("out of a listener's life a library finds nobody that hears it") {
  if (!has_nvtx()) return;
  const Library library;
  CHECK(library.call("begin_range") < 0);
  {
    const NvtxListener listener("NCCL");
    CHECK(library.call("begin_range") == 0);
    CHECK(library.call("end_range") == 0);
    CHECK(listener.ranges().size() == 1);
  }
  CHECK(library.call("begin_range") < 0);
  const NvtxListener listener("NCCL");
  CHECK(listener.ranges().empty());
}

TEST_CASE("a range that was opened for an earlier listener is not the next one's") {
  if (!has_nvtx()) return;
  const Library library;
  {
    const NvtxListener listener("NCCL");
    library.call("begin_range");
  }
  const NvtxListener listener("NCCL");
  library.call("all_reduce");
  library.call("end_range");
  REQUIRE(listener.ranges().size() == 1);
  CHECK(listener.ranges().front().name == "ncclAllReduce");
}

TEST_CASE("a listener hears the ranges of other threads") {
  if (!has_nvtx()) return;
  const Library library;
  const NvtxListener listener("NCCL");
  std::jthread([&] { library.call("all_reduce"); }).join();
  REQUIRE(listener.ranges().size() == 1);
}
