#include <fmt/format.h>

#include "base/text.hpp"
#include "doctor/collect.hpp"
#include "machine/versions.hpp"

namespace ringside {
namespace {

constexpr const char* kNoAnswer = "the driver gives no answer";

template <typename Function, typename... Arguments>
bool answers(Function function, Arguments... arguments) {
  return function != nullptr && function(arguments...) == nvml::kSuccess;
}

void add_memory(BoxFacts& facts, const std::string& gpu, const nvml::Api& api, nvml::Device device) {
  nvml::Bar1Memory bar1{};
  if (answers(api.bar1, device, &bar1)) {
    facts.set(gpu + ".bar1_bytes", static_cast<double>(bar1.total));
  } else {
    facts.not_known(gpu + ".bar1_bytes", kNoAnswer);
  }
  nvml::Memory memory{};
  if (answers(api.memory, device, &memory)) facts.set(gpu + ".used_bytes", static_cast<double>(memory.used));
}

void add_health(BoxFacts& facts, const std::string& gpu, const nvml::Api& api, nvml::Device device) {
  unsigned correctable = 0;
  unsigned uncorrectable = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (answers(api.remapped_rows, device, &correctable, &uncorrectable, &pending, &failed)) {
    facts.set(gpu + ".remap_pending", pending != 0);
    facts.set(gpu + ".remap_failed", failed != 0);
  } else {
    facts.not_known(gpu + ".remap_pending", kNoAnswer);
  }
  unsigned long long errors = 0;
  if (answers(api.ecc_errors, device, nvml::kUncorrected, nvml::kSinceBoot, &errors)) {
    facts.set(gpu + ".ecc_uncorrected", static_cast<double>(errors));
  } else {
    facts.not_known(gpu + ".ecc_uncorrected", "the GPU has no ECC, or the driver gives no answer");
  }
  nvml::FieldValue action{};
  action.field = nvml::kRecoveryAction;
  if (answers(api.field_values, device, 1, &action) && action.status == 0) {
    facts.set(gpu + ".recovery_action", static_cast<double>(action.value & 0xffffffffu));
  } else {
    facts.not_known(gpu + ".recovery_action", "drivers before 570 don't say");
  }
}

void add_modes(BoxFacts& facts, const std::string& gpu, const nvml::Api& api, nvml::Device device) {
  unsigned current = 0;
  unsigned pending = 0;
  facts.set(gpu + ".mig", answers(api.mig_mode, device, &current, &pending) && current != 0);
  int persistence = 0;
  if (answers(api.persistence, device, &persistence)) facts.set(gpu + ".persistence", persistence != 0);
  unsigned limit = 0;
  unsigned standard = 0;
  if (answers(api.power_limit, device, &limit) && answers(api.default_power_limit, device, &standard)) {
    facts.set(gpu + ".power_limit_w", limit / 1000.0);
    facts.set(gpu + ".power_default_w", standard / 1000.0);
  } else {
    facts.not_known(gpu + ".power_limit_w", kNoAnswer);
  }
  nvml::FabricInfo fabric{};
  if (answers(api.fabric, device, &fabric)) {
    constexpr const char* kStates[] = {"not supported", "not started", "in progress", "completed"};
    facts.set(gpu + ".fabric", fabric.state < 4 ? kStates[fabric.state] : "unknown");
    facts.set(gpu + ".fabric_status", static_cast<double>(fabric.status));
  } else {
    facts.not_known(gpu + ".fabric", kNoAnswer);
  }
}

void add_nvlink(BoxFacts& facts, const std::string& gpu, const nvml::Api& api, nvml::Device device) {
  if (api.nvlink_state == nullptr) return facts.not_known(gpu + ".nvlinks", kNoAnswer);
  int there = 0;
  int active = 0;
  for (unsigned link = 0; link < 18; ++link) {
    int enabled = 0;
    if (api.nvlink_state(device, link, &enabled) != nvml::kSuccess) continue;
    ++there;
    active += enabled != 0;
  }
  facts.set(gpu + ".nvlinks", static_cast<double>(active));
  facts.set(gpu + ".nvlinks_inactive", static_cast<double>(there - active));
}

void add_processes(BoxFacts& facts, const std::string& gpu, const Nvml& nvml, nvml::Device device) {
  std::vector<std::string> pids;
  for (const std::uint32_t pid : nvml.compute_processes(device)) pids.push_back(fmt::format("{}", pid));
  facts.set(gpu + ".processes", join(pids, ","));
}

void add_bus(BoxFacts& facts, const std::string& gpu, const std::string& address, const RootFiles& files) {
  const std::string folder = "sys/bus/pci/devices/" + address;
  for (const auto& [name, path] : {std::pair{".numa_node", "/numa_node"},
                                   {".local_cpus", "/local_cpulist"},
                                   {".link_width", "/current_link_width"},
                                   {".link_width_most", "/max_link_width"},
                                   {".link_speed_most", "/max_link_speed"},
                                   {".port_width_most", "/../max_link_width"},
                                   {".iommu_type", "/iommu_group/type"}}) {
    if (const auto line = files.line(folder + path)) {
      facts.set(gpu + name, *line);
    } else {
      facts.not_known(gpu + name,
                      fmt::format("/{}{} is not there, or hidden in this container", folder, path));
    }
  }
  if (const auto path = files.real(folder)) {
    facts.set(gpu + ".pci_path", *path);
  } else {
    facts.not_known(gpu + ".pci_path", fmt::format("/{} is not there, or hidden in this container", folder));
  }
  if (const auto group = files.link(folder + "/iommu_group")) facts.set(gpu + ".iommu_group", *group);
}

void add_pairs(const GpuSurvey& survey, const std::vector<std::optional<nvml::Device>>& devices,
               const Nvml* nvml, BoxFacts& facts) {
  for (std::size_t from = 0; from < survey.gpus.size(); ++from) {
    for (std::size_t to = 0; to < survey.gpus.size(); ++to) {
      if (from == to) continue;
      const std::string pair = fmt::format("pair.{}.{}", from, to);
      facts.set(pair + ".access", survey.pair(from, to).access);
      facts.set(pair + ".atomics", survey.pair(from, to).native_atomics);
      int read = -1;
      int write = -1;
      if (nvml != nullptr && devices[from] && devices[to] &&
          answers(nvml->api().peer_status, *devices[from], *devices[to], nvml::kPeerRead, &read) &&
          answers(nvml->api().peer_status, *devices[from], *devices[to], nvml::kPeerWrite, &write)) {
        facts.set(pair + ".nvml_read", static_cast<double>(read));
        facts.set(pair + ".nvml_write", static_cast<double>(write));
      }
    }
  }
}

}  // namespace

void collect_gpus(const GpuSurvey& survey, const Nvml* nvml, const std::string& nvml_problem,
                  const RootFiles& files, BoxFacts& facts) {
  if (!survey.problem.empty() && survey.gpus.empty()) {
    facts.not_known("gpus.count", survey.problem);
  } else {
    facts.set("gpus.count", static_cast<double>(survey.gpus.size()));
  }
  if (survey.driver_version != 0) facts.set("driver.cuda", static_cast<double>(survey.driver_version));
  if (survey.runtime_version != 0) facts.set("runtime.cuda", static_cast<double>(survey.runtime_version));
  if (nvml == nullptr) {
    facts.not_known("driver.version", nvml_problem);
  } else if (const auto version = nvml->driver_version()) {
    facts.set("driver.version", *version);
  }
  if (survey.nccl.problem.empty() && survey.nccl.version != 0) {
    facts.set("nccl.version", nccl_version_text(survey.nccl.version));
    facts.set("nccl.number", static_cast<double>(survey.nccl.version));
    facts.set("nccl.path", survey.nccl.path);
  } else {
    facts.not_known("nccl.version", survey.nccl.problem.empty() ? "not looked for" : survey.nccl.problem);
  }
  std::vector<std::optional<nvml::Device>> devices;
  for (std::size_t i = 0; i < survey.gpus.size(); ++i) {
    const GpuFacts& gpu = survey.gpus[i];
    const std::string name = fmt::format("gpu.{}", i);
    facts.set(name + ".name", gpu.name);
    facts.set(name + ".uuid", gpu.uuid);
    facts.set(name + ".pci", gpu.pci_address);
    facts.set(name + ".compute_capability", static_cast<double>(gpu.compute_capability));
    facts.set(name + ".memory_bytes", static_cast<double>(gpu.memory.count));
    facts.set(name + ".multicast", gpu.multicast);
    add_bus(facts, name, gpu.pci_address, files);
    devices.push_back(nvml != nullptr ? nvml->find(gpu.uuid) : std::nullopt);
    if (!devices.back()) continue;
    add_memory(facts, name, nvml->api(), *devices.back());
    add_health(facts, name, nvml->api(), *devices.back());
    add_modes(facts, name, nvml->api(), *devices.back());
    add_nvlink(facts, name, nvml->api(), *devices.back());
    add_processes(facts, name, *nvml, *devices.back());
  }
  add_pairs(survey, devices, nvml, facts);
}

}  // namespace ringside
