#include "report/export/machine_facts.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "base/text.hpp"

namespace ringside {
namespace {

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 0 || value > 9999)
    return std::nullopt;
  return value;
}

// "9.0" -> 90
std::optional<int> capability(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  if (parts.size() != 2 || parts[1].size() != 1) return std::nullopt;
  const auto major = whole(parts[0]), minor = whole(parts[1]);
  return major && minor ? std::optional(*major * 10 + *minor) : std::nullopt;
}

// "2.28.9" -> 22809
std::optional<int> nccl_version(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  if (parts.size() != 3) return std::nullopt;
  const auto major = whole(parts[0]), minor = whole(parts[1]), patch = whole(parts[2]);
  return major && minor && patch ? std::optional(*major * 10000 + *minor * 100 + *patch) : std::nullopt;
}

// NVLink to a switch joins every two GPUs, and so does any between two of them. Other bridges may join some
// pairs only.
std::optional<PairLink> link_of(const std::set<std::string>& links, const std::set<std::string>& pairs,
                                int ranks) {
  if (pairs.empty()) return std::nullopt;
  const bool access = std::ranges::all_of(pairs, [](auto& pair) { return pair.starts_with("access"); });
  if (!access) return PairLink::none;
  const auto nvlink = [&](const std::string& link) {
    return link.starts_with("NVLink") && (link.ends_with("to a switch") || ranks == 2);
  };
  if (links.empty() || links.contains("")) return std::nullopt;
  if (std::ranges::all_of(links, nvlink)) return PairLink::nvlink;
  if (std::ranges::any_of(links, [](auto& link) { return link.starts_with("PCIe"); })) return PairLink::peer;
  return std::nullopt;
}

}  // namespace

MachineFacts machine_facts(const DecisionBasis& basis) {
  std::set<std::string> capabilities, links, pairs;
  MachineFacts facts;
  for (const auto& [name, value] : basis.document->machine.facts) {
    if (name.ends_with("_compute_capability")) capabilities.insert(value);
    if (name.ends_with("_link")) links.insert(value);
    if (name.find("_to_gpu") != std::string::npos) pairs.insert(value);
    if (name == "nccl") facts.nccl = nccl_version(value);
  }
  if (capabilities.size() == 1) facts.compute_capability = capability(*capabilities.begin());
  facts.link = link_of(links, pairs, basis.block.ranks);
  for (const Row& row : basis.document->rows) {
    const bool nvls = has_result(&row) && row.ran && row.ran->starts_with("NVLS/") &&
                      row.params.ranks == basis.block.ranks && row.params.device == basis.block.device;
    if (nvls) facts.multicast = true;
  }
  return facts;
}

}  // namespace ringside
