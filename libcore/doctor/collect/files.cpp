#include <fmt/format.h>

#include <cstdlib>

#include "base/text.hpp"
#include "doctor/collect.hpp"

namespace ringside {
namespace {

constexpr const char* kHidden = "its file is not there, or hidden in this container";

void add_line(BoxFacts& facts, const std::string& name, const RootFiles& files, const std::string& path) {
  if (const auto line = files.line(path)) {
    facts.set(name, *line);
  } else {
    facts.not_known(name, fmt::format("/{} is not there, or hidden in this container", path));
  }
}

std::string container(const RootFiles& files) {
  if (files.exists(".dockerenv")) return "docker";
  if (files.exists("run/.containerenv")) return "podman";
  return "none seen";
}

// What iommu says on the kernel's command line, and its own words: "iommu=pt intel_iommu=on".
void add_iommu_words(const RootFiles& files, BoxFacts& facts) {
  const auto line = files.line("proc/cmdline");
  if (!line) return facts.not_known("host.iommu_words", kHidden);
  std::vector<std::string> words;
  for (const std::string& word : split(*line, ' ')) {
    if (word.find("iommu") != std::string::npos) words.push_back(word);
  }
  facts.set("host.iommu_words", join(words, " "));
}

void add_rdma(const RootFiles& files, BoxFacts& facts) {
  const std::vector<std::string> devices = files.names("sys/class/infiniband");
  facts.set("rdma.devices", join(devices, ","));
  facts.set("rdma.verbs_files", !files.numbered("dev/infiniband", "uverbs").empty());
  for (const std::string& device : devices) {
    const std::string folder = "sys/class/infiniband/" + device + "/ports/1";
    add_line(facts, "rdma." + device + ".state", files, folder + "/state");
    add_line(facts, "rdma." + device + ".rate", files, folder + "/rate");
    add_line(facts, "rdma." + device + ".link_layer", files, folder + "/link_layer");
  }
}

// A configuration file of NCCL: its settings on one line, as they hold for every process.
void add_nccl_file(BoxFacts& facts, const std::string& name, const std::optional<std::string>& text) {
  std::vector<std::string> settings;
  for (const std::string& line : split(text.value_or(""), '\n')) {
    const std::string setting(trim(line));
    if (!setting.empty() && setting.front() != '#') settings.push_back(setting);
  }
  facts.set(name, join(settings, "; "));
}

}  // namespace

void collect_files(const RootFiles& files, BoxFacts& facts) {
  add_line(facts, "host.kernel", files, "proc/sys/kernel/osrelease");
  const auto flags = files.field("proc/cpuinfo", "flags", ':');
  if (flags) {
    facts.set("host.virtual_machine", (" " + *flags + " ").find(" hypervisor ") != std::string::npos);
  } else {
    facts.not_known("host.virtual_machine", "/proc/cpuinfo has no flags");
  }
  if (const auto vendor = files.field("proc/cpuinfo", "vendor_id", ':'))
    facts.set("host.cpu_vendor", *vendor);
  facts.set("host.container", container(files));
  add_iommu_words(files, facts);
  const std::vector<std::string> groups = files.numbered("sys/kernel/iommu_groups", "");
  facts.set("host.iommu_groups", static_cast<double>(groups.size()));
  add_line(facts, "host.ptrace_scope", files, "proc/sys/kernel/yama/ptrace_scope");
  if (const auto limit = files.line("sys/fs/cgroup/pids.max")) facts.set("cgroup.pids_max", *limit);
  facts.set("numa.nodes", static_cast<double>(files.numbered("sys/devices/system/node", "node").size()));
  if (const auto text = files.line("proc/driver/nvidia/version")) {
    facts.set("driver.module", *text);
  } else {
    facts.not_known("driver.module",
                    "/proc/driver/nvidia/version is not there: no NVIDIA module is loaded, or "
                    "it is hidden in this container");
  }
  facts.set("driver.peermem",
            files.exists("sys/module/nvidia_peermem") || files.exists("sys/module/nv_peer_mem"));
  if (const auto params = files.read("proc/driver/nvidia/params")) {
    for (const char* key : {"EnableStreamMemOPs", "RegistryDwords"}) {
      if (const auto value = files.field("proc/driver/nvidia/params", key, ':'))
        facts.set(fmt::format("driver.params.{}", key), *value);
    }
  }
  facts.set("imex.channels", files.exists("dev/nvidia-caps-imex-channels/channel0"));
  add_rdma(files, facts);
  add_nccl_file(facts, "nccl.conf.etc", files.read("etc/nccl.conf"));
  const char* const home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/')
    add_nccl_file(facts, "nccl.conf.home", files.read(std::string(home + 1) + "/.nccl.conf"));
}

}  // namespace ringside
