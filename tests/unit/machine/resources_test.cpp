#include "machine/resources.hpp"

#include <limits>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

namespace {

// A box with 8 CPUs in the affinity mask and 16 GiB available.
struct Box {
  Box() {
    root.write("proc/self/status", "Cpus_allowed_list:\t0-7\n");
    root.write("proc/meminfo", "MemTotal: 33554432 kB\nMemAvailable: 16777216 kB\n");
  }
  int cores() const { return usable_cores(RootFiles(root.path())); }
  Bytes memory() const { return available_memory(RootFiles(root.path())); }

  TemporaryFolder root;
};

}  // namespace

TEST_CASE("without control groups the box itself decides") {
  const Box box;
  CHECK(box.cores() == 8);
  CHECK(box.memory() == Bytes{16ull << 30});
}

TEST_CASE("a CPU quota of version 2 limits the cores, of a group above too") {
  const Box box;
  box.root.write("proc/self/cgroup", "0::/kube/pod\n");
  box.root.write("sys/fs/cgroup/kube/pod/cpu.max", "max 100000\n");
  CHECK(box.cores() == 8);
  box.root.write("sys/fs/cgroup/kube/cpu.max", "350000 100000\n");
  CHECK(box.cores() == 3);
  box.root.write("sys/fs/cgroup/kube/pod/cpu.max", "50000 100000\n");
  CHECK(box.cores() == 1);
}

TEST_CASE("the cores that may be used keep their numbers") {
  const Box box;
  box.root.write("proc/self/status", "Cpus_allowed_list:\t2-3,8\n");
  const RootFiles files(box.root.path());
  CHECK(usable_core_list(files) == std::vector<int>{2, 3, 8});
  box.root.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  CHECK(usable_core_list(files) == std::vector<int>{2, 3});
}

TEST_CASE("a CPU quota of version 1 limits the cores") {
  const Box box;
  box.root.write("proc/self/cgroup", "5:cpu,cpuacct:/docker/abc\n");
  box.root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  box.root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1\n");
  CHECK(box.cores() == 8);
  box.root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "200000\n");
  CHECK(box.cores() == 2);
}

TEST_CASE("a memory limit of version 2 leaves what is not used, page cache aside") {
  const Box box;
  box.root.write("proc/self/cgroup", "0::/\n");
  box.root.write("sys/fs/cgroup/memory.max", "8589934592\n");
  box.root.write("sys/fs/cgroup/memory.current", "3221225472\n");
  box.root.write("sys/fs/cgroup/memory.stat", "anon 1\ninactive_file 1073741824\n");
  CHECK(box.memory() == Bytes{6ull << 30});
  box.root.write("sys/fs/cgroup/memory.max", "max\n");
  CHECK(box.memory() == Bytes{16ull << 30});
}

TEST_CASE("a memory limit of version 1 counts, and its way to say none does not") {
  const Box box;
  box.root.write("proc/self/cgroup", "4:memory:/job\n");
  box.root.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n");
  box.root.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1073741824\n");
  box.root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(box.memory() == Bytes{1ull << 30});
}

TEST_CASE("usage above the limit leaves nothing") {
  const Box box;
  box.root.write("sys/fs/cgroup/memory.max", "1000\n");
  box.root.write("sys/fs/cgroup/memory.current", "2000\n");
  CHECK(box.memory() == Bytes{0});
}

TEST_CASE("a box that says nothing has one core at least and any memory") {
  const TemporaryFolder root;
  CHECK(usable_cores(RootFiles(root.path())) >= 1);
  CHECK(available_memory(RootFiles(root.path())).count == std::numeric_limits<std::uint64_t>::max());
}
