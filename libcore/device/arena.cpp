#include "device/arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/errors.hpp"

namespace ringside {

Arena::Arena(int rank, std::vector<std::byte*> bases, Bytes size)
    : rank_(rank), bases_(std::move(bases)), size_(size) {}

Arena Arena::counting(int ranks) {
  constexpr Bytes kEverything{std::uint64_t{1} << 56};  // the sum over all ranks is still a number
  static std::byte nowhere;
  return Arena(0, std::vector<std::byte*>(static_cast<std::size_t>(ranks), &nowhere), kEverything);
}

std::byte* Arena::allocate(Bytes bytes, std::size_t alignment) {
  const std::size_t start = (top_ + alignment - 1) & ~(alignment - 1);
  if (start > size_.count || bytes.count > size_.count - start) {
    throw EnvironmentError(fmt::format("the arena of rank {} is full: {} asked for, {} of {} used", rank_,
                                       format_bytes(bytes), format_bytes(used()), format_bytes(size_)));
  }
  top_ = start + bytes.count;
  peak_ = std::max(peak_, top_);
  return bases_[static_cast<std::size_t>(rank_)] + start;
}

std::byte* Arena::on_rank(int rank, const std::byte* local) const {
  return bases_[static_cast<std::size_t>(rank)] + (local - bases_[static_cast<std::size_t>(rank_)]);
}

void Arena::rewind(Bytes used) {
  top_ = used.count;
}

}  // namespace ringside
