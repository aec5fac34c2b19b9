#include "machine/throttling.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

TEST_CASE("a control group of version 2 that its quota stopped is counted, and so is one above it") {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "0::/kube/pod\n");
  root.write("sys/fs/cgroup/kube/pod/cpu.stat",
             "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 1500\n");
  root.write("sys/fs/cgroup/kube/cpu.stat", "usage_usec 5\nnr_throttled 1\nthrottled_usec 500\n");
  const RootFiles files(root.path());
  const ThrottleCounters counters(files);
  CHECK(counters.read()->times == 4);
  CHECK(counters.read()->stopped == 2ms);
  root.write("sys/fs/cgroup/kube/pod/cpu.stat", "nr_throttled 5\nthrottled_usec 2500\n");
  CHECK(counters.read()->times == 6);
  CHECK(counters.read()->stopped == 3ms);
}

TEST_CASE("version 1 counts in ns") {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/docker/abc\n");
  root.write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.stat",
             "nr_periods 9\nnr_throttled 2\nthrottled_time 7000000\n");
  const RootFiles files(root.path());
  CHECK(ThrottleCounters(files).read()->times == 2);
  CHECK(ThrottleCounters(files).read()->stopped == 7ms);
}

TEST_CASE("without counters it is not known whether a quota stopped anything") {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");  // a root group has no quota
  const RootFiles files(root.path());
  CHECK_FALSE(ThrottleCounters(files).read());
}
