#include "base/duration.hpp"

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

TEST_CASE("durations are read with and without a unit") {
  CHECK(parse_duration("45") == 45s);
  CHECK(parse_duration("45s") == 45s);
  CHECK(parse_duration("1.5m") == 90s);
  CHECK(parse_duration("2min") == 120s);
  CHECK(parse_duration("250ms") == 250ms);
  CHECK(parse_duration("1h") == 3600s);
}

TEST_CASE("what is no duration is refused with the text in the message") {
  const char* bad = GENERATE("", "s", "-1s", "1d", "45 s", "1e400", "8000000", "nan", "inf", "0x10");
  CAPTURE(bad);
  CHECK_THROWS_AS(parse_duration(bad), UsageError);
  try {
    parse_duration(bad);
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("'" + std::string(bad) + "'") == 0);
  }
}

TEST_CASE("durations are shown in whole seconds with their unit") {
  CHECK(format_duration(400ms) == "0 s");
  CHECK(format_duration(12600ms) == "13 s");
  CHECK(format_duration(125s) == "2 min 5 s");
  CHECK(format_duration(3720s) == "1 h 2 min");
}
