#pragma once

#include <cstddef>

namespace ringside {

// Asks the kernel for large pages in this memory, which nobody has written to yet: where it has them, a large
// result costs a few page faults instead of thousands, each as dear as a microsecond of reading. A hint;
// whether it is followed shows in the time alone.
void prefer_large_pages(const void* begin, std::size_t bytes);

// Lets the allocator take memory from the kernel in the largest steps that it has. In threads glibc grows its
// heap a few pages at a time otherwise, with a call to the kernel for each. It no longer adapts its limit for
// mapping large blocks by themselves then, in the whole process.
void grow_heaps_in_large_steps();

}  // namespace ringside
