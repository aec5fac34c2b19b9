#pragma once

#include <cstddef>
#include <functional>

namespace ringside {

// Runs work(part, begin, end) for consecutive parts that make up 0 .. count - 1, on up to `threads` threads
// with the calling one among them, and returns when all have ended. A part has `least` items or more, unless
// count has not; all but the last have a multiple of it. The first exception is thrown again.
void parallel_parts(std::size_t count, std::size_t least, int threads,
                    const std::function<void(std::size_t part, std::size_t begin, std::size_t end)>& work);

}  // namespace ringside
