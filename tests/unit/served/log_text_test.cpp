#include "served/log_text.hpp"

#include <tuple>

#include "support/catch.hpp"

using namespace ringside;

namespace {

LogText only(const std::string& line) {
  const std::vector<LogText> lines = read_prefixes(line);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

}  // namespace

TEST_CASE("a line is told apart from what containers, launchers and loggers put before it") {
  for (const auto& [line, source, process, rank, pid] :
       std::vector<std::tuple<std::string, std::string, std::string, std::string, int>>{
           {"[2026-03-02 10:00:00 TP3 EP3] text", "", "", "TP3 EP3", -1},
           {"(Worker_DP1_TP3_EP3 pid=311) ERROR 05-02 03:00:40 [core.py:7] text", "", "Worker_DP1_TP3_EP3",
            "DP1 TP3 EP3", 311},
           {"(EngineCore pid=1) (RayWorkerWrapper pid=2, ip=10.0.0.3) text", "",
            "EngineCore RayWorkerWrapper ip=10.0.0.3", "", 2},
           {"[03/02/2026-10:00:00] [TRT-LLM] [RANK 3] [E] text", "", "", "rank3", -1},
           {"sglang-1  | [rank2]: text", "sglang-1", "", "rank2", -1},
           {"[1,5]<stderr>:text", "", "", "rank5", -1},
           {"12: text", "", "", "rank12", -1},
           {"[default4]:text", "", "", "rank4", -1},
           {"[pod/server-0/main] text", "server-0/main", "", "", -1},
           {"Mar  2 10:00:00 node7 sglang[4711]: text", "sglang", "", "", 4711},
           {"2026-03-02T10:00:00.123456789Z stderr F text", "", "", "", -1},
           {"2026-03-02T10:00:00+0100 node7 sglang[4711]: text", "sglang", "", "", 4711},
           {"INFO:     text", "", "", "", -1},
           {"2026-03-02 10:00:00,123 - ERROR - text", "", "", "", -1},
           {"E0302 10:00:00.123456 77 launcher.py:712] text", "", "", "", -1},
           {"(RayWorkerWrapper pid=2, ip=10.0.0.3) text [repeated 7x across cluster]", "",
            "RayWorkerWrapper ip=10.0.0.3", "", 2},
       }) {
    CAPTURE(line);
    const LogText found = only(line);
    CHECK(found.text == "text");
    CHECK(found.source == source);
    CHECK(found.process == process);
    CHECK(found.rank == rank);
    CHECK(found.pid == pid);
  }
}

TEST_CASE("what only looks like a prefix stays in the text") {
  for (const char* line : {"(a remark) text", "    | None", "x | y", "[a list] text", "at 32:11:",
                           "12:30 text", "{'a': 1}", "ValueError: text", "  File \"/a.py\", line 1, in f"})
    CHECK(only(line).text == line);
}

TEST_CASE("a record of JSON gives its message line by line, with its source and pid") {
  const std::vector<LogText> lines = read_prefixes(
      R"({"message":"one\n  two","exc_info":"three","level":"ERROR","pod":"server-0","pid":7,"ts":"2026-03-02T10:00:00Z"})");
  REQUIRE(lines.size() == 3);
  CHECK(lines[1].text == "  two");
  CHECK(lines[2].text == "three");
  CHECK(lines[2].source == "server-0");
  CHECK(lines[2].pid == 7);
  CHECK(lines[2].level == "ERROR");
  CHECK(lines[0].moment().has_value());
  CHECK(only(R"({"MESSAGE":[116,101,120,116],"_SYSTEMD_UNIT":"sglang.service","_PID":"47"})").text == "text");
  CHECK(only(R"({"log":"part","stream":"stderr"})").unended);
  CHECK_FALSE(only(R"({"log":"whole\n","stream":"stderr"})").unended);
}

TEST_CASE("moments of one form can be subtracted, others can't") {
  const LogText first = only("[2026-02-28 23:59:50 TP0] a"), later = only("[2026-03-01 00:00:12 TP1] b");
  CHECK(seconds_between(first.time, later.time) == 22);
  CHECK_FALSE(seconds_between(later.time, first.time));
  CHECK_FALSE(seconds_between(first.time, only("ERROR 03-01 00:00:12 [a.py:1] b").time));
  CHECK_FALSE(seconds_between(first.time, only("2026-03-01T00:00:12Z b").collected));
  CHECK(seconds_between(only("2026-03-01T01:00:00+01:00 a").collected,
                        only("2026-03-01T00:00:05Z a").collected) == 5);
}

TEST_CASE("lines of different writers are told apart, and of one writer are not") {
  const auto writer = [](const std::string& line) { return only(line).writer(); };
  CHECK(writer("[rank1]: a") != writer("[rank2]: a"));
  CHECK(writer("(Worker_TP0 pid=1) a") != writer("(Worker_TP1 pid=2) a"));
  // Only the first line of SGLang's message has a head.
  CHECK(writer("0: [2026-03-02 10:00:00 TP2] a") == writer("0:   File \"/a.py\", line 1, in f"));
}
