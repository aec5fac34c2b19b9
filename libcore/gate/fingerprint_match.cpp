#include "gate/fingerprint_match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/digest.hpp"

namespace ringside {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

constexpr std::array<std::string_view, 7> kOfTheRun = {
    "memory_available", "cuda_runtime", "nccl_path", "nccl_origin", "nccl_lacks", "nccl_device_api", "fit"};

const std::string* find(const Facts& facts, const std::string& name) {
  const auto found = std::ranges::find(facts, name, [](const auto& fact) { return fact.first; });
  return found == facts.end() ? nullptr : &found->second;
}

}  // namespace

bool identifies(const std::string& fact) {
  return std::ranges::find(kOfTheRun, fact) == kOfTheRun.end() && !fact.ends_with("_other_processes") &&
         !fact.ends_with("_pci_address");
}

std::vector<FactDifference> differing_facts(const Fingerprint& base, const Fingerprint& now) {
  std::vector<FactDifference> differences;
  for (const auto& [fact, value] : base.facts) {
    if (!identifies(fact)) continue;
    const std::string* other = find(now.facts, fact);
    if (other == nullptr || *other != value)
      differences.push_back({fact, value, other == nullptr ? "none" : *other});
  }
  for (const auto& [fact, value] : now.facts) {
    if (identifies(fact) && find(base.facts, fact) == nullptr) differences.push_back({fact, "none", value});
  }
  return differences;
}

std::string describe(const FactDifference& difference) {
  return fmt::format("{}: {} and {}", difference.fact, difference.base, difference.now);
}

std::string machine_id(const Fingerprint& machine) {
  Fnv1a hash;
  const auto add = [&](std::string_view text) {
    hash.add(text);
    hash.add("\xff");  // no byte of UTF-8: where a text ends
  };
  Facts facts;
  for (const auto& fact : machine.facts) {
    if (identifies(fact.first)) facts.push_back(fact);
  }
  std::ranges::sort(facts);
  for (const auto& [fact, value] : facts) {
    add(fact);
    add(value);
  }
  return hash.hex();
}

}  // namespace ringside
