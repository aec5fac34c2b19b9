#include "machine/gpu_fingerprint.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text.hpp"
#include "machine/gpu_links.hpp"
#include "machine/versions.hpp"

namespace ringside {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

// NVML's answer to a question with one number, or nothing.
template <typename Function, typename... Arguments>
std::optional<unsigned> ask(Function function, Arguments... arguments) {
  unsigned value = 0;
  if (function == nullptr || function(arguments..., &value) != nvml::kSuccess) return std::nullopt;
  return value;
}

void add_clocks(Facts& facts, const std::string& prefix, const nvml::Api& api, nvml::Device device) {
  if (const auto mhz = ask(api.max_clock, device, nvml::kSmClock)) {
    facts.emplace_back(prefix + "sm_clock_max_mhz", fmt::format("{}", *mhz));
  }
  if (const auto mhz = ask(api.max_clock, device, nvml::kMemoryClock)) {
    facts.emplace_back(prefix + "memory_clock_max_mhz", fmt::format("{}", *mhz));
  }
  if (const auto milliwatts = ask(api.power_limit, device)) {
    facts.emplace_back(prefix + "power_limit_w", fmt::format("{}", *milliwatts / 1000));
  }
}

void add_modes(Facts& facts, const std::string& prefix, const nvml::Api& api, nvml::Device device) {
  unsigned current = 0;
  unsigned pending = 0;
  if (api.mig_mode != nullptr && api.mig_mode(device, &current, &pending) == nvml::kSuccess) {
    facts.emplace_back(prefix + "mig", current != 0 ? "on" : "off");
  }
  int ecc = 0;
  int ecc_pending = 0;
  if (api.ecc_mode != nullptr && api.ecc_mode(device, &ecc, &ecc_pending) == nvml::kSuccess) {
    facts.emplace_back(prefix + "ecc", ecc != 0 ? "on" : "off");
  }
}

void add_gpu(Facts& facts, std::size_t index, const GpuFacts& gpu, const Nvml* nvml, const RootFiles& files) {
  const std::string prefix = fmt::format("gpu{}_", index);
  facts.emplace_back(prefix + "name", gpu.name);
  facts.emplace_back(prefix + "uuid", gpu.uuid);
  facts.emplace_back(prefix + "pci_address", gpu.pci_address);
  facts.emplace_back(prefix + "compute_capability",
                     fmt::format("{}.{}", gpu.compute_capability / 10, gpu.compute_capability % 10));
  facts.emplace_back(prefix + "multiprocessors", fmt::format("{}", gpu.multiprocessors));
  facts.emplace_back(prefix + "memory", format_bytes(gpu.memory));
  facts.emplace_back(prefix + "l2_cache", format_bytes(gpu.l2_cache));
  facts.emplace_back(prefix + "memory_sharing", gpu.memory_sharing);
  if (const auto node = files.line("sys/bus/pci/devices/" + gpu.pci_address + "/numa_node")) {
    facts.emplace_back(prefix + "numa_node", *node);
  }
  const auto device = nvml != nullptr ? nvml->find(gpu.uuid) : std::nullopt;
  if (!device) return;
  facts.emplace_back(prefix + "link", describe_link(*nvml, *device));
  add_clocks(facts, prefix, nvml->api(), *device);
  add_modes(facts, prefix, nvml->api(), *device);
  const std::vector<std::uint32_t> processes = nvml->compute_processes(*device);
  if (processes.empty()) return;
  std::vector<std::string> pids;
  for (const std::uint32_t pid : processes) pids.push_back(fmt::format("{}", pid));
  facts.emplace_back(prefix + "other_processes", join(pids, " "));
}

std::string describe_pair(const GpuPair& pair) {
  if (!pair.access) return "no access";
  return fmt::format("access, {} atomics, performance rank {}", pair.native_atomics ? "native" : "no native",
                     pair.performance_rank);
}

void add_pairs(Facts& facts, const GpuSurvey& gpus) {
  for (std::size_t from = 0; from < gpus.gpus.size(); ++from) {
    for (std::size_t to = 0; to < gpus.gpus.size(); ++to) {
      if (from != to)
        facts.emplace_back(fmt::format("gpu{}_to_gpu{}", from, to), describe_pair(gpus.pair(from, to)));
    }
  }
}

void add_nccl(Facts& facts, const NcclFacts& nccl) {
  if (!nccl.problem.empty()) {
    facts.emplace_back("nccl", "none: " + nccl.problem);
    return;
  }
  facts.emplace_back("nccl", nccl_version_text(nccl.version));
  facts.emplace_back("nccl_path", nccl.path);
  facts.emplace_back("nccl_origin", nccl.origin);
  if (!nccl.missing.empty()) facts.emplace_back("nccl_lacks", join(nccl.missing, " "));
  if (nccl.header_version != 0) facts.emplace_back("nccl_device_api", nccl_version_text(nccl.header_version));
}

// "2 x NVIDIA H200", or the names one after another where they differ.
std::string gpus_in_words(const GpuSurvey& gpus) {
  std::set<std::string> names;
  for (const GpuFacts& gpu : gpus.gpus) names.insert(gpu.name);
  return fmt::format("{} x {}", gpus.gpus.size(),
                     join(std::vector<std::string>(names.begin(), names.end()), " and "));
}

}  // namespace

void add_gpu_facts(Fingerprint& machine, const GpuSurvey& gpus, const Nvml* nvml, const RootFiles& files) {
  Facts& facts = machine.facts;
  if (nvml != nullptr) {
    if (const auto version = nvml->driver_version()) facts.emplace_back("driver", *version);
  }
  facts.emplace_back("cuda_driver", cuda_version_text(gpus.driver_version));
  facts.emplace_back("cuda_runtime", cuda_version_text(gpus.runtime_version));
  for (std::size_t i = 0; i < gpus.gpus.size(); ++i) add_gpu(facts, i, gpus.gpus[i], nvml, files);
  add_pairs(facts, gpus);
  add_nccl(facts, gpus.nccl);
  machine.name = gpus_in_words(gpus) + ", " + machine.name;
}

}  // namespace ringside
