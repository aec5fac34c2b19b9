#include "device/arena.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace ringside {

Arena::Arena(int rank, std::vector<std::byte*> bases, Bytes size)
    : rank_(rank), bases_(std::move(bases)), size_(size) {}

std::byte* Arena::allocate(Bytes bytes, std::size_t alignment) {
  const std::size_t start = (top_ + alignment - 1) & ~(alignment - 1);
  if (start > size_.count || bytes.count > size_.count - start) {
    throw EnvironmentError(fmt::format("the arena of rank {} is full: {} asked for, {} of {} used", rank_,
                                       format_bytes(bytes), format_bytes(used()), format_bytes(size_)));
  }
  top_ = start + bytes.count;
  return bases_[static_cast<std::size_t>(rank_)] + start;
}

std::byte* Arena::on_rank(int rank, const std::byte* local) const {
  return bases_[static_cast<std::size_t>(rank)] + (local - bases_[static_cast<std::size_t>(rank_)]);
}

void Arena::rewind(Bytes used) {
  top_ = used.count;
}

}  // namespace ringside
