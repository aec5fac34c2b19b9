#include <fmt/format.h>

#include "base/errors.hpp"
#include "served/read_speeds.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

SpeedFile read(const std::string& text) {
  return read_speed_log(text, "server.log");
}

// A line of SGLang 0.5; a length of 0: a plain server's. `second` of its clock.
struct SglangLine {
  int running = 1;
  double tokens_s = 100;
  double length = 0;
  int tokens = 2000;
  std::string ranks = "TP0";
  int second = 10;

  std::string text() const {
    const std::string accept =
        length > 0 ? fmt::format("accept len: {:.2f}, accept rate: 0.40, ", length) : "";
    return fmt::format(
        "[2026-05-04 10:00:{:02} {}] Decode batch, #running-req: {}, #token: {}, token usage: 0.03, {}cuda "
        "graph: "
        "True, gen throughput (token/s): {:.2f}, #queue-req: 0, \n",
        second, ranks, running, tokens, accept, tokens_s);
  }
};

}  // namespace

TEST_CASE("eight data-parallel ranks are one server: sequences and speed add up") {
  std::string text;
  for (int window = 0; window < 4; ++window)
    for (int rank = 0; rank < 8; ++rank)
      text += SglangLine{.running = 32,
                         .tokens_s = 690.0 + rank,
                         .tokens = 64000,
                         .ranks = fmt::format("DP{0} TP{0} EP{0}", rank),
                         .second = 5 * window}
                  .text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 1);
  const SpeedReading& reading = file.readings[0];
  CHECK(reading.batch == 256);
  CHECK(reading.ranks == 8);
  CHECK(reading.batch_a_rank() == 32);
  CHECK(*reading.tokens_s == Catch::Approx(8 * 690 + 28));
  CHECK(*reading.context == 2000);
  CHECK(reading.windows == 4);
  CHECK_FALSE(reading.speculative);
}

TEST_CASE("logs of ranks that were put behind each other are aligned by their clocks") {
  std::string text;
  for (int rank = 0; rank < 2; ++rank)
    for (int window = 0; window < 5; ++window)
      text +=
          SglangLine{
              .running = 4, .tokens_s = 100, .ranks = fmt::format("DP{0} TP{0}", rank), .second = 5 * window}
              .text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 1);
  CHECK(file.readings[0].batch == 8);
  CHECK(file.readings[0].windows == 5);
}

TEST_CASE("older DP attention names no DP rank: each TP rank that writes has requests of its own") {
  std::string text;
  for (int window = 0; window < 3; ++window)
    for (int rank = 0; rank < 4; ++rank)
      text += SglangLine{.running = 2, .tokens_s = 50, .ranks = fmt::format("TP{}", rank), .second = window}
                  .text();
  CHECK(read(text).readings.at(0).batch == 8);
}

TEST_CASE("stages of a pipeline write of the same requests, which count once") {
  std::string text;
  for (int window = 0; window < 3; ++window)
    for (int stage = 0; stage < 2; ++stage)
      text += SglangLine{.running = 8, .tokens_s = 300, .ranks = fmt::format("PP{} TP0", stage)}.text();
  const SpeedFile file = read(text);
  CHECK(file.readings.at(0).batch == 8);
  CHECK(file.readings.at(0).tokens_s == 300);
}

TEST_CASE("a rank that is idle makes another reading, not a smaller server") {
  std::string text =
      "[2026-05-04 10:00:00] server_args=ServerArgs(model_path='m', tp_size=2, dp_size=2, "
      "enable_dp_attention=True)\n";
  for (int window = 0; window < 4; ++window)
    for (int rank = 0; rank < (window < 2 ? 2 : 1); ++rank)
      text +=
          SglangLine{
              .running = 3, .tokens_s = 90, .ranks = fmt::format("DP{0} TP{0}", rank), .second = window}
              .text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 2);
  CHECK(file.readings[0].ranks == 1);
  CHECK(file.readings[0].ranks_of == 2);
  CHECK(file.readings[1].batch == 6);
  REQUIRE(file.doubts.size() == 1);
  CHECK(file.doubts[0] ==
        "at batch 3 1 of 2 data-parallel ranks wrote: the others were idle, or wrote into another log");
}

TEST_CASE("plain windows of a mixed log are no speculative server's") {
  std::string text;
  for (int i = 0; i < 12; ++i) text += SglangLine{.tokens_s = 97, .tokens = 3000 + 40 * i}.text();
  for (int i = 0; i < 3; ++i)
    text += SglangLine{.tokens_s = 129.0 + 2 * i, .length = 2.2, .tokens = 3600}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 2);
  CHECK_FALSE(file.readings[0].speculative);
  CHECK(file.readings[0].tokens_s == 97);
  CHECK(file.readings[0].windows == 12);
  CHECK_FALSE(file.readings[0].length);
  CHECK(file.readings[1].speculative);
  CHECK(file.readings[1].tokens_s == 131);
  CHECK(file.readings[1].windows == 3);
  CHECK(file.readings[1].length == 2.2);
  CHECK(file.doubts.empty());
}

TEST_CASE("plain windows of a server with speculation switched on are said to be no plain server's") {
  const std::string text =
      "server_args=ServerArgs(model_path='m', tp_size=8, speculative_algorithm='EAGLE', "
      "speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4)\n" +
      SglangLine{.tokens_s = 97}.text() + SglangLine{.tokens_s = 97}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.doubts.size() == 1);
  CHECK(file.doubts[0] ==
        "2 windows at batch 1 without drafts are of a server with speculation switched on, which is no plain "
        "server");
}

TEST_CASE("each number of sequences is a reading of its own") {
  std::string text;
  for (const auto& [running, speed, windows] :
       {std::tuple{1, 88.0, 14}, std::tuple{8, 402.0, 6}, std::tuple{16, 640.0, 3}})
    for (int i = 0; i < windows; ++i)
      text +=
          SglangLine{.running = running, .tokens_s = speed, .length = 2.6, .tokens = running * 2000}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 3);
  CHECK(file.readings[0].batch == 1);
  CHECK(file.readings[1].batch == 8);
  CHECK(file.readings[1].tokens_s == 402);
  CHECK(file.readings[1].windows == 6);
  CHECK(file.readings[2].tokens_s == 640);
}

TEST_CASE("long and short contexts of one batch are no one speed, a context that grows is") {
  std::string text;
  for (int i = 0; i < 4; ++i) text += SglangLine{.running = 8, .tokens_s = 400, .tokens = 16000 + i}.text();
  for (int i = 0; i < 4; ++i) text += SglangLine{.running = 8, .tokens_s = 300, .tokens = 240000 + i}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 2);
  CHECK(file.readings[0].tokens_s == 400);
  CHECK(*file.readings[0].context == Catch::Approx(2000).epsilon(0.01));
  CHECK(file.readings[1].tokens_s == 300);
  CHECK(*file.readings[1].context == Catch::Approx(30000).epsilon(0.01));
  std::string grows;
  for (int i = 0; i < 20; ++i) grows += SglangLine{.tokens = 100 + 150 * i}.text();
  CHECK(read(grows).readings.size() == 1);
}

TEST_CASE("a number of sequences that wavers by one is one batch") {
  std::string text;
  for (int i = 0; i < 12; ++i) text += SglangLine{.running = i % 3 == 0 ? 63 : 64, .tokens_s = 2000}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 1);
  CHECK(file.readings[0].batch == 64);
  CHECK(file.readings[0].windows == 12);
}

TEST_CASE("windows in which the server fills, empties or reads prompts don't slow the reading") {
  std::string text = SglangLine{.tokens_s = 0.96}.text();
  for (int i = 0; i < 5; ++i) text += SglangLine{.tokens_s = 77.0 + 0.1 * i}.text();
  text += "[2026-05-04 10:00:40 TP0] Prefill batch, #new-seq: 1, #new-token: 1, #cached-token: 21\n";
  text += SglangLine{.tokens_s = 20}.text();
  for (int i = 0; i < 3; ++i) text += SglangLine{.tokens_s = 77.2}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 1);
  CHECK(file.readings[0].left_out == 2);
  CHECK(file.readings[0].windows == 8);
  CHECK(file.readings[0].spread->low == 77);
  CHECK(*file.readings[0].tokens_s == Catch::Approx(77.2));
  CHECK(file.readings[0].settled);
}

TEST_CASE("a slow window amid others is the server's own") {
  std::string text;
  for (int i = 0; i < 9; ++i) text += SglangLine{.tokens_s = i == 4 ? 50.0 : 77.0}.text();
  const SpeedFile file = read(text);
  CHECK(file.readings.at(0).windows == 9);
  CHECK(file.readings.at(0).spread->low == 50);
}

TEST_CASE("a batch that one window passed through is not settled, and no observation beside others") {
  std::string text = SglangLine{.running = 1, .tokens_s = 2}.text();
  for (int i = 0; i < 4; ++i) text += SglangLine{.running = 8, .tokens_s = 400}.text();
  const SpeedFile file = read(text);
  REQUIRE(file.readings.size() == 2);
  CHECK_FALSE(file.readings[0].settled);
  const auto usable = usable_readings(file.readings);
  REQUIRE(usable.size() == 1);
  CHECK(usable[0].batch == 8);
  CHECK(usable_readings({file.readings[0]}).size() == 1);
}

TEST_CASE("the spread leaves the tenth at both ends out, and of one window nothing is known") {
  std::string text;
  for (int i = 0; i < 20; ++i) text += SglangLine{.tokens_s = 100.0 + i}.text();
  const SpeedFile file = read(text);
  CHECK(file.readings.at(0).spread->low == 102);
  CHECK(file.readings.at(0).spread->high == 117);
  CHECK_FALSE(read(SglangLine{}.text()).readings.at(0).spread);
}

TEST_CASE("an impossible rate stays a reading") {
  const SpeedFile file = read(SglangLine{.tokens_s = 1e9}.text() + SglangLine{.tokens_s = 1e9}.text());
  CHECK(file.readings.at(0).tokens_s == 1e9);
}

TEST_CASE("all shapes of SGLang's decode lines give the same reading") {
  for (const char* line :
       {"[2025-02-03 10:00:00 TP0] Decode batch. #running-req: 2, #token: 300, token usage: 0.00, accept "
        "len: 2.40, "
        "gen throughput (token/s): 140.25, #queue-req: 0\n",
        "[2025-11-04 05:31:43 DP0 TP0 EP0] Decode batch, #running-req: 2, #full token: 300, full token "
        "usage: 0.00, "
        "mamba num: 4, mamba usage: 0.40, accept len: 2.40, accept rate: 0.62, pre-allocated usage: 0.00, "
        "#prealloc-req: 0, #transfer-req: 0, #retracted-req: 0, cuda graph: True, gen throughput (token/s): "
        "140.25, "
        "#queue-req: 0, \n",
        "2026-04-19 12:18:36.268 | [2026-04-19 12:18:36] INFO scheduler.py:77: Decode batch [30122], "
        "#running-req: 2, "
        "#full token: 300, full token usage: 0.00, #swa token: 128, swa token usage: 0.10, accept len: 2.40, "
        "accept "
        "rate: 0.62, npu graph: True, gen throughput (token/s): 140.25, #queue-req: 0, est. decode TFLOPS/s "
        "(per "
        "GPU): 12.00\n"}) {
    CAPTURE(line);
    const SpeedFile file = read(line);
    REQUIRE(file.readings.size() == 1);
    CHECK(file.kind == "SGLang log");
    CHECK(file.readings[0].batch == 2);
    CHECK(file.readings[0].tokens_s == 140.25);
    CHECK(file.readings[0].length == 2.4);
    CHECK(file.readings[0].context == 150);
    CHECK(file.readings[0].speculative);
  }
}

TEST_CASE("a window outside of CUDA graphs is seen among others") {
  std::string text = SglangLine{}.text() + SglangLine{}.text();
  CHECK(read(text).readings.at(0).graph == true);
  std::string eager = SglangLine{}.text();
  eager.replace(eager.find("graph: True"), 11, "graph: False");
  CHECK(read(text + eager + text).readings.at(0).graph == false);
}

TEST_CASE("a server that was started anew has readings and arguments of its own") {
  const auto start = [](int tp) {
    return fmt::format("[2026-05-04 10:00:00] server_args=ServerArgs(model_path='m', tp_size={})\n", tp);
  };
  const SpeedFile file =
      read(start(4) + SglangLine{.tokens_s = 60}.text() + SglangLine{.tokens_s = 60}.text() + start(8) +
           SglangLine{.tokens_s = 90}.text() + SglangLine{.tokens_s = 90}.text());
  REQUIRE(file.readings.size() == 2);
  CHECK(file.readings[0].arguments.tensor_parallel == 4);
  CHECK(file.readings[1].arguments.tensor_parallel == 8);
  CHECK(file.readings[1].tokens_s == 90);
}

TEST_CASE("what is no length, no rate and no number says nothing") {
  for (const char* text : {"nan", "-3", "0.4", "inf", ""}) {
    CAPTURE(text);
    CHECK(read(fmt::format(
                   "Decode batch. #running-req: 1, accept len: {}, gen throughput (token/s): 178.86\n", text))
              .readings.empty());
    CHECK(read(fmt::format("Decode batch. #running-req: 1, gen throughput (token/s): {}\n",
                           std::string(text) == "0.4" ? "x" : text))
              .readings.empty());
  }
  CHECK(read("Decode batch\nEngine 999999999999: Avg generation throughput:\nSpecDecoding metrics:\n")
            .readings.empty());
  CHECK(read("").readings.empty());
}

TEST_CASE("secrets in a log are counted and never kept") {
  const SpeedFile file =
      read("server_args=ServerArgs(model_path='m', api_key='sk-verysecret0123456789', tp_size=2)\n" +
           SglangLine{}.text());
  CHECK(file.withheld.values == 1);
  for (const auto& [name, value] : file.arguments.all) CHECK(value.find("verysecret") == std::string::npos);
  CHECK(file.arguments.tensor_parallel == 2);
}

TEST_CASE("a binary file is refused by its name") {
  CHECK_THROWS_WITH(read(std::string("\x1f\x8b\0\0", 4)),
                    "server.log: it is no text: a binary or compressed file");
}
