#include "trace/core/log_reader.hpp"

#include <array>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "trace/core/trace_log.hpp"

using namespace ringside;

namespace {

const std::string kFrames =
    "  File \"/opt/sglang/srt/models/deepseek_v2.py\", line 788, in forward_deepep\n"
    "    expert_location_dispatch_info=ExpertLocationDispatchInfo.init_new(\n"
    "  File \"/opt/sglang/srt/eplb/expert_location_dispatch.py\", line 39, in init_new\n"
    "    assert expert_location_metadata is not None\n"
    "           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n";

std::string death(const std::string& rank) {
  return "[2026-02-20 10:00:00 " + rank +
         "] Scheduler hit an exception: Traceback (most recent call last):\n" + kFrames + "AssertionError\n";
}

Document trace(const std::string& text, std::size_t chunk = 1 << 20) {
  const auto signatures = load_signatures();
  const auto milestones = load_milestones();
  LogReader reader(signatures, milestones);
  for (std::size_t at = 0; at < text.size(); at += chunk)
    reader.feed(std::string_view(text).substr(at, chunk));
  Document document;
  trace_log(reader.finish(), "server.log", signatures, std::nullopt, document);
  return document;
}

}  // namespace

TEST_CASE("the assert is found, with its ranks, however the log is cut into pieces") {
  const std::string log =
      "[2026-02-20 09:59:00 TP0 EP0] Load weight end. elapsed=1 s, type=WrapperModel, dtype=x\n" +
      death("TP0 EP0") + death("TP3 EP3");
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{1} << 20}) {
    const Document document = trace(log, chunk);
    CHECK(document.trace->outcome == "expert-location-assert");
    CHECK(document.trace->death->ranks == "0,3");
    CHECK(document.trace->facts.front().second == "WrapperModel");
  }
}

TEST_CASE("colours, prefixes of tools and carriage returns are no hindrance") {
  const std::string log =
      "\x1b[31m[rank3]: Traceback (most recent call last):\x1b[0m\r\n"
      "[rank3]:   File \"/x/srt/eplb/expert_location_dispatch.py\", line 39, in init_new\r\n"
      "[rank3]:     assert expert_location_metadata is not None\r\n"
      "[rank3]: AssertionError\r\n";
  const Document document = trace(log);
  CHECK(document.trace->outcome == "expert-location-assert");
  CHECK(document.trace->death->ranks == "3");
}

TEST_CASE("ranks that print line by line into each other are told apart") {
  std::string log;
  for (const char* rank : {"TP0", "TP1"})
    log += "[t " + std::string(rank) + "] Scheduler hit an exception: Traceback (most recent call last):\n";
  for (const char* line :
       {"  File \"/a/m.py\", line 1, in f\n",
        "  File \"/a/eplb/expert_location_dispatch.py\", line 39, in init_new\n", "AssertionError\n"})
    log += std::string(line) + line;
  const Document document = trace(log);
  CHECK(document.trace->outcome == "expert-location-assert");
  CHECK(document.trace->death->ranks == "0-1");
  CHECK(document.trace->death->frames.size() == 2);
}

TEST_CASE("a death that nothing knows is called unknown, however near it looks") {
  const std::string other_assert =
      "[t TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
      "  File \"/x/srt/eplb/expert_location_dispatch.py\", line 77, in init_new\n"
      "    assert layer_id >= 0\nAssertionError\n";
  CHECK(trace(other_assert).trace->outcome == "unknown-death");
  const std::string with_message =
      "[t TP0] Scheduler hit an exception: Traceback (most recent call last):\n" + kFrames +
      "AssertionError: shapes differ\n";
  CHECK(trace(with_message).trace->outcome == "unknown-death");
  const std::string key_error =
      "[t TP0] Scheduler hit an exception: Traceback (most recent call last):\n"
      "  File \"/x/tokenizer.py\", line 7, in g\nKeyError: 12\n";
  CHECK(trace(key_error).trace->outcome == "unknown-death");
  const Document shown = trace(key_error);
  REQUIRE(shown.findings.size() == 1);
  CHECK(shown.trace->death->frames.back().file == "/x/tokenizer.py");
}

TEST_CASE("a traceback that the server survives is no death") {
  const std::string log =
      "Traceback (most recent call last):\n  File \"/x/import_utils.py\", line 3, in f\nImportError: no "
      "module\n"
      "The server is fired up and ready to roll!\n";
  CHECK(trace(log).trace->outcome == "no-failure-found");
}

TEST_CASE("the first lost process tells why, not those that die of its death") {
  const std::string log = death("TP2 EP2") +
                          "[t TP5 EP5] Scheduler hit an exception: Traceback (most recent call last):\n"
                          "  File \"/x/dist.py\", line 3, in g\nRuntimeError: Connection closed by peer\n";
  CHECK(trace(log).trace->outcome == "expert-location-assert");
}

TEST_CASE("a log that is cut off, empty, or ends without a word is said to be so") {
  CHECK(trace("").trace->outcome == "unknown");
  CHECK(trace("[t TP0] Scheduler hit an exception: Traceback (most recent call last):\n  File \"/x/a.py\", "
              "line 1, in f\n")
            .trace->outcome == "unknown-death");
  CHECK(trace("Load weight begin.\nSegmentation fault (core dumped)\n").trace->outcome == "unknown-death");
}

TEST_CASE("an endless line costs no memory and hides nothing behind it") {
  const std::string log = std::string(10'000'000, 'x') + "\n" + death("TP0 EP0");
  CHECK(trace(log, 65536).trace->outcome == "expert-location-assert");
}

TEST_CASE("what is no text is refused") {
  CHECK_THROWS_AS(trace(std::string("\x1f\x8b\0\0\0", 5)), UsageError);
}

TEST_CASE("the server's own arguments are read from its log") {
  const auto signatures = load_signatures();
  const auto milestones = load_milestones();
  LogReader reader(signatures, milestones);
  reader.feed("[t] server_args=ServerArgs(model_path='a,b)', tp_size=8, x=None, y=[1, 2], z=True)\n");
  const LogReport report = reader.finish();
  CHECK(report.launches.front().server_args.at("model_path") == Value("a,b)"));
  CHECK(report.launches.front().server_args.at("tp_size") == Value(8));
  CHECK(report.launches.front().server_args.at("x").is_none());
  CHECK(report.launches.front().server_args.at("y").is_unknown());
  CHECK(report.launches.front().server_args.at("z") == Value(true));
}

TEST_CASE("what the argument parser says before it ends the server is a death without a traceback") {
  const Document document = trace(
      "usage: launch_server.py [-h] --model-path MODEL_PATH\n"
      "launch_server.py: error: argument --moe-a2a-backend: invalid choice: 'ring' (choose from 'none')\n");
  CHECK(document.trace->outcome == "arguments-refused");
  CHECK(trace("bench.py: error: argument --x: invalid choice\n").trace->outcome == "unknown");
}

TEST_CASE("a log that begins inside a traceback still shows what it ended in") {
  CHECK(trace(kFrames + "AssertionError\n").trace->outcome == "expert-location-assert");
  CHECK(trace(kFrames).trace->outcome == "unknown");  // it may have been caught
}

TEST_CASE("ranks that print in pieces into each other are told apart") {
  std::vector<std::vector<std::string>> ranks;
  for (int rank = 0; rank < 4; ++rank) {
    std::vector<std::string> lines = {fmt::format(
        "[2026-02-20 10:00:00 TP{}] Scheduler hit an exception: Traceback (most recent call last):\n", rank)};
    for (int frame = 0; frame < 12; ++frame)
      lines.push_back(
          fmt::format("  File \"/x/srt/models/f{}.py\", line {}, in f\n    f()\n", frame, frame + 1));
    lines.push_back(kFrames);
    lines.push_back("AssertionError\n");
    ranks.push_back(lines);
  }
  std::string log;
  for (const auto& [rank, from, to] : std::vector<std::array<std::size_t, 3>>{{0, 0, 5},
                                                                              {1, 0, 9},
                                                                              {0, 5, 8},
                                                                              {2, 0, 3},
                                                                              {1, 9, 15},
                                                                              {2, 3, 15},
                                                                              {3, 0, 2},
                                                                              {0, 8, 15},
                                                                              {3, 2, 15}})
    for (std::size_t i = from; i < to; ++i) log += ranks[rank][i];
  const Document document = trace(log);
  CHECK(document.trace->outcome == "expert-location-assert");
  CHECK(document.trace->death->ranks == "0-3");
  CHECK(document.trace->death->frames.size() == 14);
}

TEST_CASE("a stack that somebody printed before does not take the frames of the death") {
  const std::string stack =
      "Stack (most recent call last):\n  File \"/opt/sglang/srt/managers/scheduler.py\", line 12, in log_it\n"
      "    logger.info(\"here\", stack_info=True)\n";
  const Document document = trace(stack + death("TP0 EP0"));
  REQUIRE(document.trace);
  CHECK(document.trace->outcome == trace(death("TP0 EP0")).trace->outcome);
}
