#include <fmt/format.h>

#include "base/errors.hpp"
#include "served/read_speeds.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

SpeedFile read(const std::string& before, const std::string& after) {
  return read_speed_metrics(before, "before.prom", after, "after.prom");
}

// Counters of an engine after so many steps of 8 sequences, each of 20 ms and 2.5 tokens a sequence.
std::string vllm(int steps, const std::string& engine = "0") {
  const std::string labels = fmt::format("{{engine=\"{}\",model_name=\"org/M, \\\"x\\\"\"}}", engine);
  const int values = 8 * steps;
  std::string text = "# HELP vllm:generation_tokens_total Number of generation tokens processed.\n";
  for (const auto& [name, value] :
       {std::pair{"generation_tokens_total", 2.5 * values + steps / 10.0},
        std::pair{"time_to_first_token_seconds_count", steps / 10.0},
        std::pair{"inter_token_latency_seconds_sum", 0.02 * values},
        std::pair{"inter_token_latency_seconds_count", 1.0 * values},
        std::pair{"iteration_tokens_total_count", 1.0 * steps}, std::pair{"num_requests_running", 0.0},
        std::pair{"request_prompt_tokens_sum", 1000.0 * steps},
        std::pair{"request_prompt_tokens_count", 1.0 * steps},
        std::pair{"request_generation_tokens_sum", 500.0 * steps},
        std::pair{"spec_decode_num_drafts_total", 1.0 * values},
        std::pair{"spec_decode_num_draft_tokens_total", 3.0 * values},
        std::pair{"spec_decode_num_accepted_tokens_total", 1.5 * values}})
    text += fmt::format("vllm:{}{} {}\n", name, labels, value);
  for (const auto& [position, share] : {std::pair{0, 0.8}, std::pair{1, 0.5}, std::pair{2, 0.2}})
    text += fmt::format(
        "vllm:spec_decode_num_accepted_tokens_per_pos_total{{engine=\"{}\",position=\"{}\"}} {}\n", engine,
        position, share * values);
  return text +
         fmt::format("vllm:inter_token_latency_seconds_bucket{{engine=\"{}\",le=\"0.1\"}} 7\n", engine);
}

std::string sglang(double running, double speed, double length) {
  return fmt::format(
      "# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs{{model_name=\"m\",tp_rank=\"0\"}} {}\n"
      "sglang:gen_throughput{{model_name=\"m\",tp_rank=\"0\"}} "
      "{}\nsglang:spec_accept_length{{tp_rank=\"0\"}} {}\n"
      "sglang:num_used_tokens{{tp_rank=\"0\"}} {}\n",
      running, speed, length, running * 2000);
}

}  // namespace

TEST_CASE("two snapshots of vLLM give batch, speed and acceptance of what was between") {
  const SpeedFile file = read(vllm(1000), vllm(1500));
  CHECK(file.kind == "vLLM metrics");
  REQUIRE(file.readings.size() == 1);
  const SpeedReading& reading = file.readings[0];
  CHECK(reading.basis == SpeedBasis::counters);
  CHECK(*reading.batch == Catch::Approx(8));
  CHECK(*reading.tokens_s == Catch::Approx(8 * 2.5 / 0.02));
  CHECK(*reading.length == Catch::Approx(2.5));
  CHECK(*reading.accept_rate == Catch::Approx(0.5));
  CHECK(reading.rates[0] == Catch::Approx(0.8));
  CHECK(reading.rates[2] == Catch::Approx(0.2));
  CHECK(*reading.context == Catch::Approx(1250));
  CHECK(reading.speculative);
}

TEST_CASE("vLLM's engines add up") {
  const SpeedFile file = read(vllm(0, "0") + vllm(0, "1"), vllm(500, "0") + vllm(400, "1"));
  CHECK(*file.readings.at(0).batch == Catch::Approx(16));
  CHECK(*file.readings.at(0).tokens_s == Catch::Approx(2000));
  CHECK(file.readings.at(0).ranks == 2);
}

TEST_CASE("the time between tokens has another name in older versions") {
  const auto older = [](std::string text) {
    for (std::size_t at = 0; (at = text.find("inter_token_latency", at)) != std::string::npos;)
      text.replace(at, 19, "time_per_output_token");
    return text;
  };
  CHECK(*read(older(vllm(0)), older(vllm(100))).readings.at(0).tokens_s == Catch::Approx(1000));
}

TEST_CASE("snapshots in the wrong order, or of a server that started anew, are refused") {
  CHECK_THROWS_WITH(read(vllm(1500), vllm(1000)),
                    Catch::Matchers::ContainsSubstring("these are not two snapshots of one server"));
  CHECK_THROWS_WITH(read(vllm(100), vllm(100)),
                    Catch::Matchers::ContainsSubstring("the server had nothing to do between"));
}

TEST_CASE("SGLang's last values are a reading each, and one where both have the same batch") {
  const SpeedFile file = read(sglang(8, 372, 2.4), sglang(8, 380, 2.5));
  CHECK(file.kind == "SGLang metrics");
  REQUIRE(file.readings.size() == 1);
  CHECK(file.readings[0].batch == 8);
  CHECK(file.readings[0].tokens_s == 376);
  CHECK(file.readings[0].spread->low == 372);
  CHECK(*file.readings[0].length == Catch::Approx(2.45));
  CHECK(file.readings[0].context == 2000);
  CHECK(file.readings[0].speculative);
  const SpeedFile two = read(sglang(8, 372, 0), sglang(16, 700, 0));
  REQUIRE(two.readings.size() == 2);
  CHECK_FALSE(two.readings[0].speculative);
  CHECK(two.readings[1].batch == 16);
}

TEST_CASE("data-parallel ranks of SGLang add up, one value of a rank for all priorities") {
  std::string text;
  for (int rank = 0; rank < 2; ++rank)
    text += fmt::format(
        "sglang:num_running_reqs{{dp_rank=\"{0}\",priority=\"\"}} 4\n"
        "sglang:num_running_reqs{{dp_rank=\"{0}\",priority=\"1\"}} 3\n"
        "sglang:gen_throughput{{dp_rank=\"{0}\"}} 100\n",
        rank);
  const SpeedFile file = read(text, text);
  CHECK(file.readings.at(0).batch == 8);
  CHECK(file.readings.at(0).tokens_s == 200);
  CHECK(file.readings.at(0).ranks == 2);
}

TEST_CASE("what is no snapshot is refused by its name") {
  CHECK_THROWS_WITH(read("x", vllm(1)), Catch::Matchers::ContainsSubstring("before.prom: no snapshot"));
  CHECK_THROWS_WITH(read(vllm(1), "{\"a\": 1}"),
                    Catch::Matchers::ContainsSubstring("after.prom: no snapshot"));
  CHECK_THROWS_WITH(read(vllm(1), sglang(1, 1, 1)), Catch::Matchers::ContainsSubstring("different servers"));
  for (const char* line :
       {"vllm:a{", "vllm:a{b=\"", "vllm:a", "vllm:a{b=\"c\"} x", "vllm:a{b=\"c\\", "vllm:a NaN"})
    CHECK_THROWS_AS(read(line, line), UsageError);
}
