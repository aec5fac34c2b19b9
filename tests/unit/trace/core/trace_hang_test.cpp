#include "trace/core/trace_hang.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string rank(int number, int calls) {
  return fmt::format(
      R"({{"rank":{},"host":"10.0.0.1","pid":{},"cuda_dev":{},"nvml_dev":{},"status":{{"init_state":0,"async_error":0,"abort_flag":false}},"collective_counts":{{"Broadcast":1,"AllReduce":{}}}}})",
      number, 300 + number, number, number, calls);
}

std::string report(const std::string& ranks, const std::string& missing = "") {
  return fmt::format(
      R"({{"nccl_version":"2.29.1","communicators_count":1,"communicators":[{{"hash":"0xae94","size":2,"ranks":[{}],"missing_ranks":[{}]}}]}})",
      ranks, missing);
}

const std::string kGone =
    R"({"rank":1,"host":"10.0.0.1","pid":301,"cuda_dev":1,"nvml_dev":1,"status":{"unresponsive":true,"considered_dead":false}})";
const std::string kDump =
    "Process 301: sglang::scheduler_TP1\nPython v3.12.3 (/usr/bin/python3.12)\n\n"
    "Thread 301 (active+gil): \"MainThread\"\n    sleep (time.py:1)\n    forward "
    "(sglang/srt/models/deepseek_v2.py:788)\n    run_scheduler_process (scheduler.py:3130)\n"
    "Thread 340 (idle): \"Thread-1\"\n    wait (threading.py:331)\n";

RasReport read(const std::string& text) {
  return read_ras(text, "ras.json");
}

Document traced(const RasReport& first, const std::optional<RasReport>& later, const std::string& dump = "") {
  Document document;
  trace_hang(first, later, read_py_spy(dump), "ras.json", document);
  return document;
}

}  // namespace

TEST_CASE("a rank that gives no answer is named, with its process and where that stands") {
  const Document document = traced(read(report(rank(0, 7), kGone)), std::nullopt, kDump);
  CHECK(document.trace->outcome == "unknown-death");
  REQUIRE(document.trace->death);
  CHECK(document.trace->death->ranks == "1");
  CHECK(document.trace->death->frames.back().function == "sleep");
  CHECK_THAT(document.trace->summary,
             ContainsSubstring("rank 1 of 2 (10.0.0.1, pid 301, GPU 1) gives no answer"));
}

TEST_CASE("the rank that launched fewer collectives lags, and the others don't") {
  const RasReport lagging = read(report(rank(0, 8) + "," + rank(1, 7)));
  const Document document = traced(lagging, lagging);
  CHECK(document.trace->death->ranks == "1");
  CHECK_THAT(document.trace->summary,
             ContainsSubstring("launched 8 collectives, another rank 9; it lags most in AllReduce"));
  CHECK_THAT(document.findings.front().remedy, ContainsSubstring("py-spy dump --pid 301"));
}

TEST_CASE("no rank is blamed where counts are equal or grow") {
  const RasReport equal = read(report(rank(0, 7) + "," + rank(1, 7)));
  const RasReport grown = read(report(rank(0, 9) + "," + rank(1, 8)));
  for (const auto& later : {std::optional<RasReport>(), std::optional(equal), std::optional(grown)}) {
    const Document document = traced(equal, later);
    CHECK(document.trace->outcome == "unknown");
    CHECK_FALSE(document.trace->death);
  }
  CHECK(judge_hang(equal, grown).kind == HangVerdict::Kind::moving);
  CHECK(judge_hang(equal, equal).kind == HangVerdict::Kind::in_flight);
  CHECK(judge_hang(equal, std::nullopt).kind == HangVerdict::Kind::unknown);
}

TEST_CASE("the answer of a server is read behind its lines, and what is no report is refused by its name") {
  CHECK(read("SERVER PROTOCOL 2\nOK\nOK\n" + report(rank(0, 7))).communicators.size() == 1);
  for (const char* text : {"", "NCCL version 2.27.3 compiled with CUDA 12.9", "{}", "{\"communicators\":1}",
                           "{\"communicators\":["})
    CHECK_THROWS_WITH(read(text), ContainsSubstring("ras.json"));
}

TEST_CASE("a dump is read with its threads, also inside a log") {
  const auto processes =
      read_py_spy("[2026-03-02 10:00:00 TP1] Watchdog timeout\nPyspy dump for PID 301:\n" + kDump + kDump);
  REQUIRE(processes.size() == 2);
  CHECK(processes[0].rank == "TP1");
  CHECK(processes[0].threads.size() == 2);
  CHECK(processes[0].main()->frames.size() == 3);
  CHECK(processes[0].main()->frames.front().line == 1);
  CHECK(read_py_spy("nothing\n").empty());
}
