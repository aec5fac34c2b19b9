#include "spec/communication.hpp"

#include "support/catch.hpp"

using namespace ringside;

TEST_CASE("between measured sizes a call's time grows in proportion") {
  const CallTimes times({{1000, 10.0}, {2000, 20.0}, {8000, 50.0}});
  CHECK(times.at({2000}) == 20);
  CHECK(times.at({1500}) == Catch::Approx(15));
  CHECK(times.at({5000}) == Catch::Approx(35));
}

TEST_CASE("below the smallest size its time holds, above the largest it goes on as between the last two") {
  const CallTimes times({{1000, 10.0}, {2000, 20.0}});
  CHECK(times.at({10}) == 10);
  CHECK(times.at({4000}) == Catch::Approx(40));
  // A measurement that falls is not followed below what was measured.
  CHECK(CallTimes({{1000, 10.0}, {2000, 9.0}}).at({100'000}) == 9);
  CHECK(CallTimes({{1000, 10.0}}).at({5000}) == 10);
}

TEST_CASE("measured times say how far they reach") {
  const CallTimes measured(std::map<std::uint64_t, double>{{16384, 18000.0}, {65536, 30000.0}});
  CHECK(measured.covers(16_KiB));
  CHECK(measured.covers(32_KiB));
  CHECK_FALSE(measured.covers(256_KiB));
  CHECK_FALSE(measured.covers(2_KiB));
  CHECK_FALSE(CallTimes(std::map<std::uint64_t, double>{}).covers(2_KiB));
  CHECK(CallTimes([](Bytes) { return 1.0; }).covers(256_KiB));
}
