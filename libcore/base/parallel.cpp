#include "base/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ringside {

void parallel_parts(std::size_t count, std::size_t least, int threads,
                    const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
  if (count == 0) return;
  const std::size_t units = (count + least - 1) / least;
  const std::size_t parts = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), 1, units);
  const std::size_t step = (units + parts - 1) / parts * least;

  std::mutex mutex;
  std::exception_ptr error;
  const auto run = [&](std::size_t part) {
    const std::size_t begin = std::min(part * step, count);
    const std::size_t end = std::min(begin + step, count);
    try {
      if (begin < end) work(part, begin, end);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::jthread> helpers;
  for (std::size_t part = 1; part < parts; ++part) helpers.emplace_back(run, part);
  run(0);
  helpers.clear();  // joins
  if (error) std::rethrow_exception(error);
}

}  // namespace ringside
