#include "machine/fingerprint.hpp"

#include <map>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;

namespace {

std::map<std::string, std::string> facts_of(const Fingerprint& machine) {
  return {machine.facts.begin(), machine.facts.end()};
}

}  // namespace

TEST_CASE("a server's facts are read from its kernel files") {
  const TemporaryFolder root;
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: EPYC 9654\nflags\t\t: fpu hypervisor sse2\n\nprocessor\t: 1\n");
  root.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1,4\n");
  root.write("proc/meminfo", "MemTotal:       24683620 kB\nMemAvailable:   24303268 kB\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
  root.write("etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  for (const char* cpu : {"cpu0", "cpu1", "cpu4", "cpu5"}) {
    root.write(std::filesystem::path("sys/devices/system/cpu") / cpu / "topology/physical_package_id",
               std::string(cpu) < "cpu4" ? "0\n" : "1\n");
  }
  root.write("sys/devices/system/cpu/cpufreq/x", "");
  root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  root.write("sys/devices/system/node/node0/x", "");
  root.write("sys/devices/system/node/node1/x", "");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  root.write("sys/class/dmi/id/product_name", "KVM\n");

  const Fingerprint machine = fingerprint_host(RootFiles(root.path()));
  CHECK(machine.name == "3 cores EPYC 9654, 23.5 GiB, Linux 6.1.0");
  CHECK(facts_of(machine) ==
        std::map<std::string, std::string>{{"cpu", "EPYC 9654"},
                                           {"cores", "3"},
                                           {"cpus", "4"},
                                           {"sockets", "2"},
                                           {"numa_nodes", "2"},
                                           {"memory", "23.5 GiB"},
                                           {"memory_available", "23.2 GiB"},
                                           {"kernel", "6.1.0-28-amd64"},
                                           {"distribution", "Debian GNU/Linux 12 (bookworm)"},
                                           {"hypervisor", "KVM"},
                                           {"governor", "performance"},
                                           {"transparent_hugepage", "madvise"}});
}

TEST_CASE("facts that can't be read are left out") {
  const TemporaryFolder root;
  const Fingerprint machine = fingerprint_host(RootFiles(root.path()));
  REQUIRE(machine.facts.size() == 1);
  CHECK(machine.facts[0].first == "cores");
  CHECK(machine.name.ends_with(" unknown CPU"));
}

TEST_CASE("files with nonsense in them are survived") {
  const TemporaryFolder root;
  root.write("proc/cpuinfo", "model name");
  root.write("proc/meminfo", "MemTotal: lots\n");
  root.write("proc/self/status", "Cpus_allowed_list:\tall\n");
  root.write("proc/self/cgroup", "::::\nx\n");
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "]never[\n");
  const auto facts = facts_of(fingerprint_host(RootFiles(root.path())));
  CHECK_FALSE(facts.contains("memory"));
  CHECK(facts.at("transparent_hugepage") == "]never[");
}

TEST_CASE("this box has a fingerprint") {
  const auto facts = facts_of(fingerprint_host());
  CHECK(std::stoi(facts.at("cores")) >= 1);
  CHECK(facts.contains("kernel"));
  CHECK(facts.contains("memory"));
}
