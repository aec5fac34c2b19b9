#include "worker/verify/known_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/hash_bytes.hpp"
#include "base/parallel.hpp"
#include "worker/verify/check.hpp"
#include "worker/verify/check_parts.hpp"
#include "worker/verify/element.hpp"
#include "worker/verify/inputs.hpp"

namespace ringside {
namespace {

constexpr std::size_t kHashedWords = std::size_t{1} << 22;  // of 8 bytes, in all windows together
constexpr std::size_t kFewestWindows = 4;
constexpr std::uint32_t kCall = 0xffffffff;  // InputKey::call: verify_case() counts from 0 on

InputKey key_of(const Case& params, std::uint64_t seed, int rank) {
  return {.set = InputSet::exact, .dtype = params.dtype, .seed = seed, .call = kCall, .rank = rank};
}

std::size_t count_windows(Bytes message) {
  static_assert(kInputSlack % KnownData::kStep == 0);
  const std::size_t words = std::max<std::size_t>(message.count / 8, 1);
  return std::clamp(kHashedWords / words, kFewestWindows, kInputSlack / KnownData::kStep);
}

template <typename Element>
void add_elements(std::span<std::byte> sums, std::span<const std::byte> values) {
  for (std::size_t at = 0; at + sizeof(Element) <= sums.size(); at += sizeof(Element)) {
    Element sum;
    Element value;
    std::memcpy(&sum, sums.data() + at, sizeof sum);
    std::memcpy(&value, values.data() + at, sizeof value);
    sum = Format<Element>::round(to_float(sum) + to_float(value));  // exact
    std::memcpy(sums.data() + at, &sum, sizeof sum);
  }
}

// The sum of all ranks' blocks, which holds that of every window.
void fill_sums(const Case& params, std::uint64_t seed, std::span<std::byte> sums, int threads) {
  constexpr std::size_t kPiece = 16 * 1024;  // elements
  const std::size_t size = element_size(params.dtype);
  const std::size_t count = sums.size() / size;
  fill_whole_input(key_of(params, seed, 0), sums, threads);
  parallel_parts(count, kPiece, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<std::byte> values(kPiece * size);
    for (std::size_t first = begin; first < end; first += kPiece) {
      const std::span<std::byte> piece = std::span(values).first(std::min(kPiece, end - first) * size);
      for (int rank = 1; rank < params.ranks; ++rank) {
        fill_input(key_of(params, seed, rank), first, piece);
        with_element(params.dtype, [&]<typename Element>() {
          add_elements<Element>(sums.subspan(first * size, piece.size()), piece);
        });
      }
    }
  });
}

// What an all-to-all brings to `rank`: its part of every sender's window.
void fill_parts(const Case& params, std::uint64_t seed, int rank, std::size_t window,
                std::span<std::byte> output) {
  const std::size_t size = element_size(params.dtype);
  const std::size_t border = part_borders(params)[static_cast<std::size_t>(rank)];
  const std::size_t part = output.size() / static_cast<std::size_t>(params.ranks);
  for (int sender = 0; sender < params.ranks; ++sender) {
    fill_input(key_of(params, seed, sender), KnownData::offset(window) / size + border,
               output.subspan(static_cast<std::size_t>(sender) * part, part));
  }
}

std::uint64_t hash_of_poison(std::size_t bytes) {
  std::uint64_t hash = 0;
  std::uint64_t word;
  std::memset(&word, std::to_integer<int>(kPoison), sizeof word);
  for (std::size_t i = 0; i < bytes / sizeof word; ++i) hash += hash_word(word, i);
  const std::vector<std::byte> tail(bytes % sizeof word, kPoison);
  std::uint64_t rest = 0;
  if (tail.empty()) return hash;
  std::memcpy(&rest, tail.data(), tail.size());
  return hash + hash_word(rest, bytes / sizeof word);
}

}  // namespace

KnownData::KnownData(const Case& params, int rank, std::uint64_t seed, std::span<std::byte> block,
                     int threads)
    : output_bytes_(received_bytes(params, rank)),
      inputs_(count_windows(params.bytes)),
      outputs_(inputs_.size()),
      poison_(hash_of_poison(output_bytes_)) {
  if (params.collective == Collective::allreduce) fill_sums(params, seed, block, threads);
  for (std::size_t window = 0; window < windows(); ++window) {
    if (params.collective == Collective::alltoall) {
      fill_parts(params, seed, rank, window, block.first(output_bytes_));
      outputs_[window] = hash_bytes(block.first(output_bytes_), threads);
    } else {
      outputs_[window] = hash_bytes(block.subspan(offset(window), output_bytes_), threads);
    }
  }
  const std::span<std::byte> mine = block.first(block_bytes(params.bytes));
  fill_whole_input(key_of(params, seed, rank), mine, threads);
  for (std::size_t window = 0; window < windows(); ++window)
    inputs_[window] = hash_bytes(mine.subspan(offset(window), params.bytes.count), threads);
}

std::string KnownData::describe(std::size_t window, std::uint64_t hash) const {
  if (hash == poison_) return "nothing was written";
  const auto other = std::ranges::find(outputs_, hash);
  if (other == outputs_.end()) return "it is that of no call";
  const std::size_t back =
      (window + windows() - static_cast<std::size_t>(other - outputs_.begin())) % windows();
  return back == 1 ? "it is that of the call before" : fmt::format("it is that of {} calls before", back);
}

}  // namespace ringside
