#include "machine/fingerprint.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "base/units.hpp"
#include "machine/cgroup.hpp"
#include "machine/resources.hpp"

namespace ringside {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;
using Fact = std::optional<std::string>;

Fact cpu_model(const RootFiles& files) {
  if (Fact model = files.field("proc/cpuinfo", "model name", ':')) return model;
  if (Fact model = files.line("sys/firmware/devicetree/base/model")) return model;  // ARM boards
  return files.field("proc/cpuinfo", "CPU implementer", ':');
}

// Sockets, by the package ids that the logical CPUs name.
std::size_t count_sockets(const RootFiles& files) {
  std::set<std::string> packages;
  const std::filesystem::path cpus = "sys/devices/system/cpu";
  for (const std::string& cpu : files.numbered(cpus, "cpu")) {
    if (Fact package = files.line(cpus / cpu / "topology/physical_package_id")) packages.insert(*package);
  }
  return packages.size();
}

Fact total_memory(const RootFiles& files) {
  const Fact field = files.field("proc/meminfo", "MemTotal", ':');
  std::uint64_t kilobytes = 0;
  if (!field || std::from_chars(field->data(), field->data() + field->size(), kilobytes).ec != std::errc{})
    return {};
  return format_bytes({kilobytes * 1024});
}

Fact hypervisor(const RootFiles& files) {
  if (Fact type = files.line("sys/hypervisor/type")) return type;
  const std::string flags = ' ' + files.field("proc/cpuinfo", "flags", ':').value_or("") + ' ';
  if (flags.find(" hypervisor ") == std::string::npos) return std::nullopt;
  const Fact product = files.line("sys/class/dmi/id/product_name");
  return product ? product : Fact("unknown");
}

// "always [madvise] never" -> "madvise"
Fact chosen(const Fact& choices) {
  if (!choices) return std::nullopt;
  const std::size_t open = choices->find('[');
  const std::size_t close = choices->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return choices;
  return choices->substr(open + 1, close - open - 1);
}

Fact unquoted(Fact text) {
  if (text && text->size() >= 2 && text->front() == '"' && text->back() == '"')
    text = text->substr(1, text->size() - 2);
  return text;
}

void add(Facts& facts, const char* name, const Fact& value) {
  if (value) facts.emplace_back(name, *value);
}

void add_count(Facts& facts, const char* name, std::size_t count) {
  if (count > 0) facts.emplace_back(name, std::to_string(count));
}

}  // namespace

Fingerprint fingerprint_host(const RootFiles& files) {
  const Fact cpu = cpu_model(files);
  const int cores = usable_cores(files);
  const Fact memory = total_memory(files);
  const Fact kernel = files.line("proc/sys/kernel/osrelease");
  const CgroupLimits limits = read_cgroup_limits(files);

  Fingerprint machine;
  Facts& facts = machine.facts;
  add(facts, "cpu", cpu);
  facts.emplace_back("cores", std::to_string(cores));
  add_count(facts, "cpus", files.numbered("sys/devices/system/cpu", "cpu").size());
  add_count(facts, "sockets", count_sockets(files));
  add_count(facts, "numa_nodes", files.numbered("sys/devices/system/node", "node").size());
  add(facts, "memory", memory);
  add(facts, "memory_limit", limits.memory ? Fact(format_bytes(*limits.memory)) : Fact());
  if (memory) facts.emplace_back("memory_available", format_bytes(available_memory(files)));
  add(facts, "kernel", kernel);
  add(facts, "distribution", unquoted(files.field("etc/os-release", "PRETTY_NAME", '=')));
  add(facts, "hypervisor", hypervisor(files));
  add(facts, "governor", files.line("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  add(facts, "transparent_hugepage", chosen(files.line("sys/kernel/mm/transparent_hugepage/enabled")));

  machine.name = fmt::format("{} {} {}", cores, cores == 1 ? "core" : "cores", cpu.value_or("unknown CPU"));
  if (memory) machine.name += ", " + *memory;
  if (kernel) machine.name += ", Linux " + kernel->substr(0, kernel->find('-'));
  return machine;
}

}  // namespace ringside
