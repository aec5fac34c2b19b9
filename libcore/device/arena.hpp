#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace ringside {

// One rank's symmetric memory: the same size on every rank, every peer's copy mapped here. As every rank
// makes the same allocations in the same order, a block lies at the same offset on all of them.
class Arena {
 public:
  // bases[r]: where rank r's arena is mapped in this process. The mapping is owned by the device.
  Arena(int rank, std::vector<std::byte*> bases, Bytes size);

  // An arena without memory that has room for everything: what allocates from it takes nothing, and used()
  // and peak() say what it would take. Nothing may touch its blocks. The sums are the same on every rank.
  static Arena counting(int ranks);

  int ranks() const { return static_cast<int>(bases_.size()); }
  Bytes size() const { return size_; }
  Bytes used() const { return {top_}; }
  Bytes peak() const { return {peak_}; }  // the most that was ever used

  // A block of this rank's arena, aligned to `alignment` (a power of two). Its content is what was there
  // before. Throws EnvironmentError when the arena is full.
  std::byte* allocate(Bytes bytes, std::size_t alignment = 256);

  // The same block on another rank: `local` lies in this rank's arena.
  std::byte* on_rank(int rank, const std::byte* local) const;

  // Blocks are freed in one piece, back to an earlier used(): entries of one message size come and go
  // together.
  void rewind(Bytes used);

 private:
  int rank_;
  std::vector<std::byte*> bases_;
  Bytes size_;
  std::size_t top_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace ringside
