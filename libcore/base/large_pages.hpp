#pragma once

#include <cstddef>

namespace ringside {

// Asks the kernel for large pages in this memory, which nobody has written to yet: where it has them, a large
// result costs a few page faults instead of thousands, each as dear as a microsecond of reading. A hint;
// whether it is followed shows in the time alone.
void prefer_large_pages(const void* begin, std::size_t bytes);

}  // namespace ringside
