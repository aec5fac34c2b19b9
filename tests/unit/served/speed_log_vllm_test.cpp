#include <fmt/format.h>

#include "served/read_speeds.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

SpeedFile read(const std::string& text) {
  return read_speed_log(text, "server.log");
}

std::string vllm_line(const std::string& before, double tokens_s, int running, double share = 0.4) {
  return fmt::format(
      "(APIServer pid=7) INFO 02-01 12:00:10 [loggers.py:271] {}Avg prompt throughput: 0.0 tokens/s, Avg "
      "generation throughput: {:.1f} tokens/s, Running: {} reqs, Waiting: 0 reqs, GPU KV cache usage: "
      "{:.1f}%, "
      "Prefix cache hit rate: 0.0%\n",
      before, tokens_s, running, share);
}

std::string vllm_accepts(double length, const std::string& rates = "0.700, 0.400") {
  return fmt::format(
      "(APIServer pid=7) INFO 02-01 12:00:10 [metrics.py:101] SpecDecoding metrics: Mean acceptance length: "
      "{:.2f}, Accepted throughput: 71.20 tokens/s, Drafted throughput: 147.00 tokens/s, Accepted: 712 "
      "tokens, "
      "Drafted: 1470 tokens, Per-position acceptance rate: {}, Avg Draft acceptance rate: 48.4%\n",
      length, rates);
}

}  // namespace

TEST_CASE("a vLLM window speculates where its own acceptance follows") {
  const std::string engine = "Engine 000: ";
  const std::string plain = vllm_line(engine, 100, 1);
  const SpeedFile file = read(plain + plain + vllm_line(engine, 140, 1) + vllm_accepts(2.1) +
                              vllm_line(engine, 142, 1) + vllm_accepts(2.3) + vllm_line(engine, 0, 0));
  REQUIRE(file.readings.size() == 2);
  CHECK(file.kind == "vLLM log");
  CHECK_FALSE(file.readings[0].speculative);
  CHECK(file.readings[0].tokens_s == 100);
  CHECK(file.readings[1].speculative);
  CHECK(file.readings[1].tokens_s == 141);
  CHECK(*file.readings[1].length == Catch::Approx(2.2));
  CHECK(file.readings[1].rates == std::vector<double>{0.7, 0.4});
}

TEST_CASE("vLLM's engines add up, one line each or one for all") {
  std::string each, all;
  for (int window = 0; window < 3; ++window) {
    for (int engine = 0; engine < 4; ++engine)
      each += vllm_line(fmt::format("Engine {:03}: ", engine), 250, 16) + vllm_accepts(2.0 + 0.1 * engine);
    all += vllm_line("4 Engines Aggregated: ", 1000, 64) + vllm_accepts(2.15);
  }
  for (const std::string& text : {each, all}) {
    const SpeedFile file = read(text);
    REQUIRE(file.readings.size() == 1);
    CHECK(file.readings[0].batch == 64);
    CHECK(file.readings[0].tokens_s == 1000);
    CHECK(file.readings[0].ranks == 4);
    CHECK(*file.readings[0].length == Catch::Approx(2.15));
  }
}

TEST_CASE("the mean context of vLLM is its share of the logged pool, where the share is not too coarse") {
  const std::string pool =
      "(EngineCore_DP0 pid=9) INFO 02-01 12:00:00 [kv_cache_utils.py:864] GPU KV cache size: 1,234,500 "
      "tokens\n";
  const SpeedFile file =
      read(pool + vllm_line("Engine 000: ", 100, 8, 10) + vllm_line("Engine 000: ", 100, 8, 10));
  CHECK(*file.readings.at(0).context == Catch::Approx(123450.0 / 8));
  CHECK_FALSE(read(pool + vllm_line("Engine 000: ", 100, 8, 0.2)).readings.at(0).context);
  CHECK_FALSE(read(vllm_line("Engine 000: ", 100, 8, 10)).readings.at(0).context);
}

TEST_CASE("the engine before V1 counts since its start: each window has what came since the last") {
  const std::string speed = vllm_line("", 40, 1);
  const auto counts = [](int drafted, int emitted, double efficiency) {
    return fmt::format(
        "INFO 03-01 10:00:00 metrics.py:471] Speculative metrics: Draft acceptance rate: 0.612, System "
        "efficiency: "
        "{:.3f}, Number of speculative tokens: 4, Number of accepted tokens: 245, Number of draft tokens: "
        "{}, "
        "Number of emitted tokens: {}.\n",
        efficiency, drafted, emitted);
  };
  const SpeedFile one = read(speed + counts(400, 270, 0.540));
  CHECK(*one.readings.at(0).length == Catch::Approx(2.7));
  // 200 of 400 tokens of the second window: 2 a step, though 2.35 since the start.
  const SpeedFile two = read(speed + counts(400, 270, 0.540) + speed + counts(800, 470, 0.470));
  CHECK(two.readings.at(0).length_spread->low == Catch::Approx(2.0));
  CHECK(two.readings.at(0).speculative);
  // Later windows have none of their own and speculate all the same.
  const SpeedFile sticky = read(speed + counts(400, 270, 0.540) + speed + speed);
  REQUIRE(sticky.readings.size() == 1);
  CHECK(sticky.readings[0].windows == 3);
}

TEST_CASE("the first line of V1 has a rate alone, and a length where the number of drafts was logged") {
  const std::string text =
      vllm_line("Engine 000: ", 90, 1) +
      "INFO 04-01 10:00:00 [metrics.py:39] SpecDecoding metrics: Draft acceptance rate: 60.0%, "
      "Accepted: 262 tokens, Drafted: 432 tokens\n";
  const SpeedFile file = read(text);
  CHECK(file.readings.at(0).speculative);
  CHECK_FALSE(file.readings.at(0).length);
  CHECK(*file.readings.at(0).accept_rate == Catch::Approx(0.6));
  const auto given = [](const char* method) {
    return fmt::format(
        "INFO 04-01 10:00:00 [api_server.py:1] non-default args: {{'model': 'm', 'speculative_config': "
        "{{'method': '{}', 'num_speculative_tokens': 3}}}}\n",
        method);
  };
  CHECK(*read(given("eagle") + text).readings.at(0).length == Catch::Approx(2.8));
  // N-grams draft fewer tokens at times.
  CHECK_FALSE(read(given("ngram") + text).readings.at(0).length);
}

TEST_CASE("acceptance without a speed is a reading too") {
  const SpeedFile file = read(vllm_accepts(2.45, "0.760, 0.450, 0.240"));
  REQUIRE(file.readings.size() == 1);
  CHECK_FALSE(file.readings[0].tokens_s);
  CHECK_FALSE(file.readings[0].batch);
  CHECK(file.readings[0].length == 2.45);
}
