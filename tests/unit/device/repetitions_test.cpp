#include "device/repetitions.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("the best of repetitions repeats where each stretch of them comes near it, whatever most take") {
  std::vector<double> times;
  for (int i = 0; i < 50; ++i) times.push_back(i % 10 == 3 ? 100 + i / 10.0 : 190);
  CHECK(fastest(times).time_ns == Catch::Approx(100.3));
  CHECK(fastest(times).scatter < 0.03);
}

TEST_CASE("one good repetition among slow ones is a best that does not repeat") {
  std::vector<double> times(50, 190);
  times[7] = 100;
  CHECK(fastest(times).time_ns == 100);
  CHECK(fastest(times).scatter == Catch::Approx(0.9));
}

TEST_CASE("as many stretches as repetitions where there are few") {
  const double times[] = {100, 110, 130};
  CHECK(fastest(times).scatter == Catch::Approx(0.1));
}
