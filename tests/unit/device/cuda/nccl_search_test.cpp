#include "device/cuda/nccl_search.hpp"

#include <cstdlib>
#include <fstream>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

TEST_CASE("a library that was asked for is the only candidate") {
  const auto candidates = find_nccl("/opt/nccl/libnccl.so");
  REQUIRE(candidates.size() == 1);
  CHECK(candidates.front().path == "/opt/nccl/libnccl.so");
  CHECK(candidates.front().origin == "--nccl-lib");
}

TEST_CASE("python3's package comes before the system's library") {
  const TemporaryFolder folder;
  const auto lib = folder.path() / "nvidia/nccl/lib";
  std::filesystem::create_directories(lib);
  std::ofstream(lib / "libnccl.so.2") << "not really";
  ::setenv("PYTHONPATH", folder.path().c_str(), 1);
  const auto candidates = find_nccl("");
  ::unsetenv("PYTHONPATH");
  REQUIRE(candidates.size() >= 2);
  CHECK(candidates.front().path == (lib / "libnccl.so.2").string());
  CHECK(candidates.back().path == "libnccl.so.2");
}
