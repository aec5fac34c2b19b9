#include "device/arena.hpp"

#include <vector>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("an arena knows the most that was ever used") {
  std::vector<std::byte> memory(1024);
  Arena arena(0, {memory.data()}, {memory.size()});
  arena.allocate(100_B);
  const Bytes before = arena.used();
  arena.allocate(500_B);
  CHECK(arena.used() == 756_B);
  arena.rewind(before);
  CHECK(arena.used() == 100_B);
  CHECK(arena.peak() == 756_B);
  arena.allocate(10_B);
  CHECK(arena.peak() == 756_B);
}

TEST_CASE("a counting arena has room for what no memory holds, and counts like one with memory") {
  Arena counting = Arena::counting(3);
  CHECK(counting.ranks() == 3);
  std::byte* const first = counting.allocate(1_B, 1);
  std::byte* const second = counting.allocate(2_B, 4096);
  CHECK(second - first == 4096);
  CHECK(counting.used() == 4098_B);
  counting.allocate({std::uint64_t{1} << 55});
  CHECK(counting.peak().count > std::uint64_t{1} << 55);
  CHECK_THROWS_AS(counting.allocate({~std::uint64_t{0}}), EnvironmentError);
}
