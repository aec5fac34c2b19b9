#include "machine/host_watch.hpp"

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;

namespace {

std::string stat(int pid, const std::string& name, int parent, int ticks) {
  return std::to_string(pid) + " (" + name + ") R " + std::to_string(parent) + " 1 1 0 -1 4194304 1 2 3 4 " +
         std::to_string(ticks) + " 0 0 0 20 0 1 0 99\n";
}

}  // namespace

TEST_CASE("busy processes are counted, the measuring ones left out") {
  const TemporaryFolder root;
  const HostWatch watch(RootFiles(root.path()), 100);
  root.write("proc/100/stat", stat(100, "ringside", 1, 0));
  root.write("proc/101/stat", stat(101, "rank", 100, 0));
  root.write("proc/7/stat", stat(7, "a ) (b", 1, 10));
  root.write("proc/8/stat", stat(8, "idle", 1, 10));
  root.write("proc/notes", "no process");
  const ProcessTimes before = watch.processes();
  CHECK(before.size() == 2);
  root.write("proc/101/stat", stat(101, "rank", 100, 90));
  root.write("proc/7/stat", stat(7, "a ) (b", 1, 100));
  root.write("proc/9/stat", stat(9, "new", 1, 50));
  CHECK(busy_processes(before, watch.processes(), 1s) == 2);
}
