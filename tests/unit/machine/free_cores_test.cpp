#include "machine/free_cores.hpp"

#include <algorithm>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

TEST_CASE("ranks get the cores that are used least") {
  CHECK(pick_cores({{0, 1.0, {}}, {1, 0.0, {}}, {2, 0.5, {}}, {3, 0.1, {}}}, 2) == std::vector<int>{1, 3});
}

TEST_CASE("ranks get physical cores of their own before they share one") {
  const std::vector<CoreLoad> cores = {{0, 0, {0, 1}}, {1, 0, {0, 1}}, {2, 0, {2, 3}}, {3, 0, {2, 3}}};
  CHECK(pick_cores(cores, 2) == std::vector<int>{0, 2});
  CHECK(pick_cores(cores, 3) == std::vector<int>{0, 2, 1});
}

TEST_CASE("a core whose other hardware thread is busy counts as half used") {
  const std::vector<CoreLoad> cores = {{0, 1, {0, 1}}, {1, 0, {0, 1}}, {2, 0.2, {2, 3}}, {3, 0, {2, 3}}};
  CHECK(pick_cores(cores, 1) == std::vector<int>{3});
}

TEST_CASE("more ranks than cores, or than a quota covers, get none of their own") {
  const TemporaryFolder root;
  root.write("proc/self/status", "Cpus_allowed_list:\t4-7\n");
  const RootFiles files(root.path());
  CHECK(free_cores(5, files, 0ms).empty());
  CHECK(free_cores(4, files, 0ms) == std::vector<int>{4, 5, 6, 7});
  root.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  CHECK(free_cores(3, files, 0ms).empty());
  CHECK(free_cores(2, files, 0ms).size() == 2);
}

TEST_CASE("how busy cores are is read from the kernel's ticks, a hypervisor's theft among them") {
  const TemporaryFolder root;
  root.write("proc/stat", "cpu  1 1 1 1\ncpu0 10 5 5 70 10 0 0 40 0 0\ncpu3 1 0 0 9 0 0 0 0 0 0\nintr 5\n");
  const auto cores = read_core_times(RootFiles(root.path()));
  REQUIRE(cores.size() == 2);
  CHECK(cores.at(0).busy == 20);
  CHECK(cores.at(0).stolen == 40);
  CHECK(cores.at(0).all == 140);
  CHECK(cores.at(3).all == 10);
}
