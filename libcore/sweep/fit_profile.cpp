#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

std::string architecture(const Document& document) {
  for (const auto& [key, value] : document.machine.facts) {
    // "9.0" -> "sm90"
    if (key.find("compute_capability") == std::string::npos) continue;
    std::string digits;
    for (const char c : value) {
      if (c >= '0' && c <= '9') digits += c;
    }
    return "sm" + digits;
  }
  return document.rows.front().params.device == DeviceKind::host ? "cpu" : "sm90";
}

// How all pairs of GPUs reach each other, by the facts of the machine: the worst of them. NVLink carries
// atomic operations, PCIe does not. NVLink where no pair was looked at.
PeerAccess peer_access(const Document& document) {
  PeerAccess access = PeerAccess::nvlink;
  for (const auto& [key, value] : document.machine.facts) {
    if (key.find("_to_gpu") == std::string::npos) continue;
    if (value.starts_with("no access")) return PeerAccess::staged;
    if (value.find("no native atomics") != std::string::npos) access = PeerAccess::pcie;
  }
  return access;
}

}  // namespace

std::string profile_text(const Document& document, const std::vector<CostFit>& fits,
                         const std::string& result) {
  if (std::ranges::none_of(document.links,
                           [](const auto& link) { return link.one_way_latency_ns.has_value(); }))
    throw UsageError("it has no measurement of the links, which a profile begins with");
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
  std::string text = fmt::format(
      "# Fitted to a measurement; see docs/algorithms.md for what alpha, beta and gamma are.\n\n"
      "title = {}\nranks = {}\narchitecture = {}\norigin = \"measured\"\nsource = {}\nfitted_to = {}\n\n"
      "[link]\nname = \"as measured\"\npeer_access = \"{}\"\none_way_latency_ns = {:.1f}\nbandwidth_gbps "
      "= {:.3f}\n\n"
      "[overhead]\ncall_ns = {:.1f}\nstep_ns = {:.1f}\n{}\n"
      "[memory]\nlocal_bandwidth_gbps = {:.3f}  # not measured: as the link\n",
      quoted(document.machine.name), machine.ranks, quoted(architecture(document)),
      quoted("fitted to " + result), quoted(result), to_string(peer_access(document)),
      machine.one_way_latency_ns, std::max(machine.bandwidth_gbps, 0.001), machine.call_overhead_ns,
      machine.step_overhead_ns, nccl_step ? fmt::format("nccl_step_ns = {:.1f}\n", *nccl_step) : "",
      std::max(machine.bandwidth_gbps, 0.001));
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
