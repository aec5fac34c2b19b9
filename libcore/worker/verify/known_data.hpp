#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/case.hpp"
#include "protocol/group_memory.hpp"

namespace ringside {

// Inputs of set A that differ from call to call and cost no time to make. Every rank has a block of
// block_bytes() of it; window w is the message from byte w * kStep on. The hashes (base/hash_bytes.hpp) of
// all windows' inputs and outputs are known, so that a consumer which hashes an output checks it.
class KnownData {
 public:
  static constexpr std::size_t kStep = 16;  // bytes

  // Fills `block`, of block_bytes(), with the data of rank `rank`; its content is lost to the hashes before
  // and made again behind them. Every rank must give the same seed. Takes about 2 ns an element and rank, and
  // 10 ms, on one thread; of all-to-alls more.
  KnownData(const Case& params, int rank, std::uint64_t seed, std::span<std::byte> block, int threads);

  static std::size_t block_bytes(Bytes message) { return message.count + kInputSlack; }

  // 4 to 1024, fewer for larger messages.
  std::size_t windows() const { return inputs_.size(); }
  static std::size_t offset(std::size_t window) { return window * kStep; }
  std::uint64_t input_hash(std::size_t window) const { return inputs_[window]; }
  std::uint64_t output_hash(std::size_t window) const { return outputs_[window]; }
  std::size_t output_bytes() const { return output_bytes_; }  // that a call writes on this rank

  // What an output with this hash is, where that of `window` was due; as the end of a sentence.
  std::string describe(std::size_t window, std::uint64_t hash) const;

 private:
  std::size_t output_bytes_;
  std::vector<std::uint64_t> inputs_;
  std::vector<std::uint64_t> outputs_;
  std::uint64_t poison_;
};

}  // namespace ringside
