#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "worker/verify/inputs.hpp"

namespace ringside {

// Outputs that have been checked element by element, remembered by their hash. Strategies of a group are fed
// the same data, so the second one's output needs no more than a comparison; computing every rank's data
// again is what takes the time of verification.
class ProvenOutputs {
 public:
  // The hash of the output that passed for these inputs (whatever key.rank: all ranks' outputs are alike).
  std::optional<std::uint64_t> find(const InputKey& key, std::size_t bytes) const {
    const auto found = hashes_.find(entry(key, bytes));
    return found == hashes_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const InputKey& key, std::size_t bytes, std::uint64_t hash) {
    hashes_.emplace(entry(key, bytes), hash);
  }

 private:
  struct Entry {
    InputSet set;
    DType dtype;
    std::uint64_t seed;
    std::uint32_t call;
    std::size_t bytes;
    auto operator<=>(const Entry&) const = default;
  };
  static Entry entry(const InputKey& key, std::size_t bytes) {
    return {key.set, key.dtype, key.seed, key.call, bytes};
  }

  std::map<Entry, std::uint64_t> hashes_;
};

}  // namespace ringside
