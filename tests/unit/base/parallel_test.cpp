#include "base/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("every item is worked on exactly once, whatever the number of threads", "[threads]") {
  for (const std::size_t count : {0u, 1u, 7u, 64u, 1000u, 1001u}) {
    for (const int threads : {-1, 1, 2, 3, 8, 100}) {
      std::vector<int> touched(count, 0);
      parallel_parts(count, 64, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++touched[i];
      });
      CHECK(touched == std::vector<int>(count, 1));
    }
  }
}

TEST_CASE("parts are whole multiples of the least size, and a small count is one part") {
  std::vector<std::size_t> begins(8, 99);
  parallel_parts(100, 32, 8, [&](std::size_t part, std::size_t begin, std::size_t) { begins[part] = begin; });
  CHECK(begins == std::vector<std::size_t>{0, 32, 64, 96, 99, 99, 99, 99});
  std::atomic<int> parts{0};
  parallel_parts(31, 32, 8, [&](std::size_t, std::size_t, std::size_t) { ++parts; });
  CHECK(parts == 1);
}

TEST_CASE("what a part throws is thrown to the caller once all parts have ended", "[threads]") {
  std::atomic<int> ended{0};
  CHECK_THROWS_AS(parallel_parts(4, 1, 4,
                                 [&](std::size_t part, std::size_t, std::size_t) {
                                   ++ended;
                                   if (part == 2) throw std::runtime_error("part 2");
                                 }),
                  std::runtime_error);
  CHECK(ended == 4);
}
