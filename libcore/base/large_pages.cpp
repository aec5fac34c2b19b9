#include "base/large_pages.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <cstdint>

namespace ringside {

void prefer_large_pages(const void* begin, std::size_t bytes) {
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto start = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (start + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (start + bytes) / kLargePage * kLargePage;
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

void grow_heaps_in_large_steps() {
#ifdef M_TOP_PAD
  ::mallopt(M_TOP_PAD, 64 << 20);  // the whole heap of a thread
#endif
}

}  // namespace ringside
