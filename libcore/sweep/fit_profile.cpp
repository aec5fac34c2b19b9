#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "base/errors.hpp"
#include "stats/order.hpp"
#include "strategy/registry.hpp"
#include "sweep/fit_cost.hpp"

namespace ringside {
namespace {

// A TOML string on one line.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return '"' + safe + '"';
}

// The overhead of a step beside its latency (`step`: of the machine's two) that brings the strategies' own
// estimates nearest to their smallest messages; an estimate grows evenly with it. Nothing where none has it.
std::optional<double> fit_step_ns(const Document& document, MachineProfile machine,
                                  double MachineProfile::*step) {
  std::vector<double> steps;
  for (const Row& row : document.rows) {
    const bool smallest = std::ranges::none_of(document.rows, [&](const Row& other) {
      return other.params.strategy == row.params.strategy && other.params.bytes < row.params.bytes;
    });
    const Strategy* const strategy = find_strategy(row.params.strategy, row.params.device);
    if (!smallest || !row.time || strategy == nullptr) continue;
    machine.*step = 0;
    const double without = strategy->estimate(row.params, machine).time_ns;
    machine.*step = 1;
    const double slope = strategy->estimate(row.params, machine).time_ns - without;
    if (slope > 0) steps.push_back(std::max(0.0, (row.time->median_ns - without) / slope));
  }
  return steps.empty() ? std::nullopt : std::optional(median(steps));
}

// The facts of the machine whose key is "gpu" and a number and `name`: "gpu0_memory", "gpu1_memory".
std::vector<std::string> gpu_facts(const Document& document, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : document.machine.facts) {
    if (!key.starts_with("gpu") || !key.ends_with(name)) continue;
    const std::string_view number = std::string_view(key).substr(3, key.size() - 3 - name.size());
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos)
      values.push_back(value);
  }
  return values;
}

// What all GPUs have; empty: they differ, or nothing is known of them.
std::string common_fact(const Document& document, std::string_view name) {
  const std::vector<std::string> values = gpu_facts(document, name);
  const bool same = std::ranges::all_of(values, [&](const auto& value) { return value == values.front(); });
  return values.empty() || !same ? "" : values.front();
}

std::string architecture(const Document& document) {
  const std::vector<std::string> values = gpu_facts(document, "_compute_capability");
  if (values.empty()) return document.rows.front().params.device == DeviceKind::host ? "cpu" : "sm90";
  // "9.0" -> "sm90"
  std::string digits;
  for (const char c : values.front()) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return "sm" + digits;
}

// How all pairs of GPUs reach each other, by the facts of the machine: the worst of them. NVLink carries
// atomic operations, PCIe does not. Nothing where no pair was looked at.
std::optional<PeerAccess> peer_access(const Document& document) {
  std::optional<PeerAccess> access;
  for (const auto& [key, value] : document.machine.facts) {
    if (key.find("_to_gpu") == std::string::npos) continue;
    if (value.starts_with("no access")) return PeerAccess::staged;
    if (value.find("no native atomics") != std::string::npos)
      access = PeerAccess::pcie;
    else if (!access)
      access = PeerAccess::nvlink;
  }
  return access;
}

// GiB of the smallest GPU, from "140 GiB"; nothing: not known.
std::optional<double> memory_gib(const Document& document) {
  std::optional<double> least;
  for (const std::string& text : gpu_facts(document, "_memory")) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    const double scale = unit == " GiB" ? 1 : unit == " MiB" ? 1.0 / 1024 : unit == " TiB" ? 1024 : 0;
    if (problem != std::errc{} || !(value * scale > 0)) return std::nullopt;
    least = std::min(least.value_or(value * scale), value * scale);
  }
  return least;
}

// A key of a TOML table on its line; nothing known: a comment that says so.
std::string key_line(std::string_view key, const std::optional<std::string>& value, std::string_view absent) {
  return value ? fmt::format("{} = {}\n", key, *value) : fmt::format("# {}: {}\n", key, absent);
}

std::string link_text(const Document& document, const MachineProfile& machine) {
  const std::string name = common_fact(document, "_link");
  std::optional<std::string> access;
  if (const auto known = peer_access(document)) access = quoted(std::string(to_string(*known)));
  return fmt::format("[link]\nname = {}\n{}one_way_latency_ns = {:.1f}\nbandwidth_gbps = {:.3f}\n",
                     quoted(name.empty() ? "as measured" : name),
                     key_line("peer_access", access, "no pair of GPUs was looked at"),
                     machine.one_way_latency_ns, machine.bandwidth_gbps);
}

// What this measurement knows of a rank's own memory. Its bandwidth was not measured: the link's is no
// substitute.
std::string memory_text(const Document& document) {
  const auto gib = memory_gib(document);
  return "[memory]\n" + key_line("local_bandwidth_gbps", {}, "not measured") +
         key_line("read_gbps", {}, "not measured; GB/s of a rank's memory when weights are read") +
         key_line("gib", gib ? std::optional(fmt::format("{:g}", *gib)) : std::nullopt, "not known");
}

}  // namespace

std::string profile_text(const Document& document, const std::vector<CostFit>& fits,
                         const std::string& result) {
  const auto measured = [&](auto member) {
    return std::ranges::any_of(document.links, [&](const auto& link) { return (link.*member).has_value(); });
  };
  if (!measured(&LinkMeasurement::one_way_latency_ns) || !measured(&LinkMeasurement::bandwidth_gbps))
    throw UsageError(
        "it has no measurement of the links' latency and bandwidth, which a profile begins with");
  MachineProfile machine;
  machine.ranks = fits.front().cost.ranks;
  machine.one_way_latency_ns = std::numeric_limits<double>::infinity();
  for (const LinkMeasurement& link : document.links) {
    if (link.one_way_latency_ns)
      machine.one_way_latency_ns = std::min(machine.one_way_latency_ns, *link.one_way_latency_ns);
    machine.call_overhead_ns = std::max(machine.call_overhead_ns, link.node_gap_ns.value_or(0));
    machine.bandwidth_gbps = std::max(machine.bandwidth_gbps, link.bandwidth_gbps.value_or(0));
  }
  machine.step_overhead_ns = fit_step_ns(document, machine, &MachineProfile::step_overhead_ns).value_or(0);
  const auto nccl_step = fit_step_ns(document, machine, &MachineProfile::nccl_step_ns);
  const std::string gpu = common_fact(document, "_name");
  std::string text = fmt::format(
      "# Fitted to a measurement; see docs/algorithms.md for what alpha, beta and gamma are. What was not "
      "measured "
      "is absent.\n\n"
      "title = {}\nranks = {}\narchitecture = {}\n{}origin = \"measured\"\nsource = {}\nfitted_to = "
      "{}\n\n{}\n"
      "[overhead]\ncall_ns = {:.1f}\nstep_ns = {:.1f}\n{}\n{}",
      quoted(document.machine.name), machine.ranks, quoted(architecture(document)),
      gpu.empty() ? "" : fmt::format("gpu = {}\n", quoted(gpu)), quoted("fitted to " + result),
      quoted(result), link_text(document, machine), machine.call_overhead_ns, machine.step_overhead_ns,
      nccl_step ? fmt::format("nccl_step_ns = {:.1f}\n", *nccl_step) : "", memory_text(document));
  for (const CostFit& fit : fits) {
    const FittedCost& cost = fit.cost;
    text += fmt::format("\n[[fit]]  # {} sizes", fit.sizes);
    if (fit.held_out_error)
      text += fmt::format(", {:.1f} % off at sizes that were held out", 100 * *fit.held_out_error);
    text += fmt::format(
        "\nstrategy = {}\ncollective = \"{}\"\nmode = \"{}\"\nranks = {}\nalpha_ns = {:.6g}\n"
        "beta_ns_per_byte = {:.6g}\ngamma_ns_per_root = {:.6g}\nsizes = {}\noff_median = {:.4f}\n"
        "off_worst = {:.4f}\n",
        quoted(cost.strategy), to_string(cost.collective), to_string(cost.mode), cost.ranks, cost.alpha_ns,
        cost.beta_ns_per_byte, cost.gamma_ns_per_root, fit.sizes, fit.off_median, fit.off_worst);
  }
  return text;
}

}  // namespace ringside
