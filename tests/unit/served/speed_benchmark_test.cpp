#include "base/errors.hpp"
#include "served/read_speeds.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

SpeedFile read(const std::string& text) {
  return read_speed_benchmark(text, "bench.json");
}

const std::string kVllm = R"({"date": "20260501-100000", "endpoint_type": "openai", "model_id": "org/Model",
 "num_prompts": 80, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 8, "duration": 100.0,
 "completed": 80, "total_input_tokens": 80000, "total_output_tokens": 40000, "request_throughput": 0.8,
 "output_throughput": 400.0, "mean_ttft_ms": 200.0, "mean_tpot_ms": 19.6, "itls": [[0.01, NaN], [0.02]],
 "spec_decode_acceptance_rate": 46.7, "spec_decode_acceptance_length": 2.4, "spec_decode_num_drafts": 16000,
 "spec_decode_per_position_acceptance_rates": [0.8, 0.4, 0.2]})";

const std::string kSglang =
    R"({"backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 4, )"
    R"("duration": 50.0, "completed": 20, "total_input_tokens": 20000, "total_output_tokens": 10000, )"
    R"("output_throughput": 200.0, "mean_ttft_ms": 100.0, "mean_tpot_ms": 18.0, "mean_e2e_latency_ms": 9082.0, )"
    R"("concurrency": 3.63, "accept_length": null})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("vllm bench serve gives the speed of its tokens, the context and acceptance by position") {
  const SpeedFile file = read(kVllm);
  CHECK(file.kind == "vLLM benchmark");
  REQUIRE(file.readings.size() == 1);
  const SpeedReading& reading = file.readings[0];
  CHECK(reading.basis == SpeedBasis::requests);
  CHECK(reading.batch == 8);
  CHECK(*reading.tokens_s == Catch::Approx(8 / 0.0196));
  CHECK(reading.end_to_end_s == 400);
  CHECK(reading.context == 1250);
  CHECK(reading.speculative);
  CHECK(reading.length == 2.4);
  CHECK(*reading.accept_rate == Catch::Approx(0.467));
  CHECK(reading.rates == std::vector<double>{0.8, 0.4, 0.2});
  CHECK(reading.arguments.model == "org/Model");
  CHECK(file.doubts.empty());
}

TEST_CASE("a result without drafts is a plain server's") {
  const SpeedFile file = read(kVllm.substr(0, kVllm.find(",\n \"spec_decode")) + "}");
  CHECK_FALSE(file.readings.at(0).speculative);
  CHECK_FALSE(file.readings.at(0).length);
}

TEST_CASE("SGLang's lines are one reading each, with Python's Infinity and null") {
  const SpeedFile file =
      read(with(kSglang, "\"accept_length\": null", "\"accept_length\": 2.2") + "\n" + kSglang + "\n\n");
  CHECK(file.kind == "SGLang benchmark");
  REQUIRE(file.readings.size() == 2);
  CHECK_FALSE(file.readings[0].speculative);
  CHECK(file.readings[1].speculative);
  CHECK(file.readings[1].length == 2.2);
  CHECK(file.readings[0].batch == 4);
  CHECK(*file.readings[0].tokens_s == Catch::Approx(4 / 0.018));
}

TEST_CASE("fewer sequences than were asked for count as what they were") {
  const SpeedFile file = read(with(kSglang, "\"concurrency\": 3.63", "\"concurrency\": 2.5"));
  CHECK(file.readings.at(0).batch == 2.5);
  CHECK(*file.readings.at(0).tokens_s == Catch::Approx(2.5 / 0.018));
  REQUIRE(file.doubts.size() == 1);
  CHECK(file.doubts[0] ==
        "bench.json: 2.5 sequences at a time on average, though 4 were asked for: the first counts");
}

TEST_CASE("a run without a limit has as many sequences as its requests' times say") {
  const SpeedFile file = read(with(kVllm, "\"max_concurrency\": 8", "\"max_concurrency\": null"));
  // 80 requests x (200 ms + 499 x 19.6 ms) / 100 s
  CHECK(*file.readings.at(0).batch == Catch::Approx(80 * (0.2 + 499 * 0.0196) / 100));
}

TEST_CASE("one batch at a time has the speed of its decoding") {
  const SpeedFile file = read(
      R"({"run_name": "default", "batch_size": 16, "input_len": 1024, "output_len": 128, "latency": 3.2, )"
      R"("output_throughput": 640.0, "overall_throughput": 5760.0, "acc_length": 2.6})");
  CHECK(file.readings.at(0).batch == 16);
  CHECK(file.readings.at(0).tokens_s == 640);
  CHECK(file.readings.at(0).context == 1088);
  CHECK(file.readings.at(0).length == 2.6);
}

TEST_CASE("the arguments of SGLang's server come with its newer results") {
  const SpeedFile file = read(kSglang.substr(0, kSglang.size() - 1) +
                              R"(, "server_info": {"version": "0.5.9", "model_path": "org/M", "tp_size": 8, )"
                              R"("speculative_algorithm": null, "speculative_num_steps": null}})");
  CHECK(file.arguments.server == "SGLang");
  CHECK(file.arguments.version == "0.5.9");
  CHECK(file.arguments.tensor_parallel == 8);
  CHECK(file.arguments.speculation == false);
}

TEST_CASE("speculators' acceptance of several subsets is one by their drafts") {
  const SpeedFile file = read(
      "subset,num_drafts,num_draft_tokens,num_accepted_tokens,acceptance_length,acceptance_at_pos_0,"
      "acceptance_at_pos_1\nqa,20,40,26,2.3,0.9,0.4\nHumanEval,10,20,8,1.8,0.6,0.2\n");
  CHECK(file.kind == "acceptance table");
  REQUIRE(file.readings.size() == 1);
  CHECK(*file.readings[0].length == Catch::Approx((2.3 * 20 + 1.8 * 10) / 30));
  CHECK(file.readings[0].rates[0] == Catch::Approx(0.8));
  CHECK(file.readings[0].length_spread->low == 1.8);
  CHECK_FALSE(file.readings[0].tokens_s);
  CHECK_THROWS_WITH(read("acceptance_length,num_drafts\nx,1\n"),
                    "bench.json:2: 'acceptance_length' must be a number");
}

TEST_CASE("what is no benchmark is refused by its name") {
  for (const char* text : {"{}", "[]", "[1, 2]", "{\"output_throughput\": -1}"})
    CHECK_THROWS_WITH(read(text),
                      Catch::Matchers::ContainsSubstring("bench.json: no result of vllm bench serve"));
  for (const char* text : {"", "x", "{\"a\": ", "{}\n{", "NaN"}) CHECK_THROWS_AS(read(text), UsageError);
}
