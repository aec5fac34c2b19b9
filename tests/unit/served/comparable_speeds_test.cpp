#include "served/comparable_speeds.hpp"

#include "support/catch.hpp"

using namespace ringside;

namespace {

SpeedReading reading(bool speculative, double tokens_s, std::optional<Interval> spread = {}) {
  SpeedReading made;
  made.speculative = speculative;
  made.batch = 8;
  made.tokens_s = tokens_s;
  made.spread = spread;
  made.context = 2000;
  made.arguments.all = {{"tp_size", "8"}};
  made.arguments.tensor_parallel = 8;
  made.arguments.model = "m";
  return made;
}

const SpeedReading kPlain = reading(false, 252, Interval{250, 254});
const SpeedReading kSpeculative = reading(true, 199, Interval{196, 202});

}  // namespace

TEST_CASE("two speeds of one server give a ratio with the interval of their windows") {
  const SpeedComparison comparison = compare_speeds(kPlain, kSpeculative);
  CHECK(comparison.reason.empty());
  CHECK(comparison.unknown.empty());
  CHECK(comparison.ratio == Catch::Approx(199.0 / 252));
  CHECK(comparison.interval.low == Catch::Approx(196.0 / 254));
  CHECK(comparison.interval.high == Catch::Approx(202.0 / 250));
  CHECK_FALSE(comparison.few);
}

TEST_CASE("a ratio lies inside its own interval though one side has a single window") {
  const SpeedComparison comparison = compare_speeds(kPlain, reading(true, 199));
  CHECK(comparison.few);
  CHECK(comparison.interval.low <= comparison.ratio);
  CHECK(comparison.interval.high >= comparison.ratio);
}

TEST_CASE("what differs is the reason") {
  const auto with = [](auto change) {
    SpeedReading other = kSpeculative;
    change(other);
    return compare_speeds(kPlain, other).reason;
  };
  CHECK(with([](SpeedReading& other) { other.context = 30000; }) == "context 2K and 30K");
  CHECK(with([](SpeedReading& other) { other.context = 2600; }).empty());
  CHECK(with([](SpeedReading& other) { other.context = 2700; }) == "context 2K and 2.7K");
  CHECK(with([](SpeedReading& other) { other.batch = 16; }) == "batch 8 and 16");
  CHECK(with([](SpeedReading& other) { other.batch.reset(); }) == "batch not known");
  CHECK(with([](SpeedReading& other) { other.ranks = 2; }) == "1 and 2 data-parallel ranks");
  CHECK(with([](SpeedReading& other) { other.arguments.tensor_parallel = 4; }) == "TP 8 and 4");
  CHECK(with([](SpeedReading& other) { other.arguments.model = "n"; }) == "model m and n");
  CHECK(with([](SpeedReading& other) { other.arguments.expert_parallel = 8; }) == "EP 1 and 8");
  CHECK(with([](SpeedReading& other) { other.basis = SpeedBasis::requests; }) ==
        "a server's lines and a benchmark's requests");
  CHECK(with([](SpeedReading& other) { other.speculative = false; }) ==
        "one with speculation and one without are needed");
  CHECK(with([](SpeedReading& other) { other.tokens_s.reset(); }) == "a speed is not known");
}

TEST_CASE("what speculation itself changes is no reason") {
  SpeedReading other = kSpeculative;
  other.arguments.speculation = true;
  other.arguments.draft_steps = 3;
  other.arguments.max_running = 48;
  other.arguments.graph_batch = 48;
  CHECK(compare_speeds(kPlain, other).reason.empty());
}

TEST_CASE("a server whose drafts are switched off for a while is no plain one") {
  SpeedReading plain = kPlain;
  plain.arguments.speculation = true;
  CHECK(compare_speeds(plain, kSpeculative).reason ==
        "the plain windows are of a server with speculation switched on");
}

TEST_CASE("what a log doesn't say is no reason, and is named") {
  SpeedReading plain = kPlain;
  plain.context.reset();
  plain.arguments = {};
  const SpeedComparison comparison = compare_speeds(plain, kSpeculative);
  CHECK(comparison.reason.empty());
  CHECK(comparison.unknown == "context and arguments");
}

TEST_CASE("pairs that can be compared come first, smaller batches before larger ones") {
  std::vector<SpeedReading> readings = {kPlain, kSpeculative};
  SpeedReading larger = kSpeculative;
  larger.batch = 16;
  readings.insert(readings.begin(), larger);
  larger.speculative = false;
  readings.push_back(larger);
  const auto pairs = pairs_of(readings);
  REQUIRE(pairs.size() == 4);
  CHECK(pairs[0].speculative->batch == 8);
  CHECK(pairs[0].comparison.reason.empty());
  CHECK(pairs[1].speculative->batch == 16);
  CHECK(pairs[1].comparison.reason.empty());
  CHECK_FALSE(pairs[2].comparison.reason.empty());
}
