#include "base/hash_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace ringside {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kPart = std::size_t{1} << 17;  // words that are worth a thread

std::uint64_t hash_words(std::span<const std::byte> bytes, std::size_t begin, std::size_t end) {
  std::uint64_t hash = 0;
  for (std::size_t i = begin; i < end; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i * kWord, kWord);
    hash += hash_word(word, i);
  }
  return hash;
}

}  // namespace

std::uint64_t hash_bytes(std::span<const std::byte> bytes, int threads) {
  const std::size_t words = bytes.size() / kWord;
  std::uint64_t hash = 0;
  if (words <= kPart || threads <= 1) {
    hash = hash_words(bytes, 0, words);
  } else {
    std::vector<std::uint64_t> parts((words + kPart - 1) / kPart);
    parallel_parts(parts.size(), 1, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t part = begin; part < end; ++part)
        parts[part] = hash_words(bytes, part * kPart, std::min(words, (part + 1) * kPart));
    });
    hash = std::accumulate(parts.begin(), parts.end(), std::uint64_t{0});
  }
  if (const std::size_t rest = bytes.size() % kWord; rest > 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + words * kWord, rest);
    hash += hash_word(word, words);
  }
  return hash;
}

}  // namespace ringside
