#include <algorithm>

#include <fmt/format.h>

#include "support/catch.hpp"
#include "unit/trace/core/logged.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string args(const std::string& time, const std::string& more) {
  return fmt::format("[2026-03-02 {}] server_args=ServerArgs(model_path='/m', tp_size=8{})\n", time, more);
}

std::string died(const std::string& time, int rank, const std::string& error) {
  return fmt::format(
      "[2026-03-02 {} TP{}] Scheduler hit an exception: Traceback (most recent call last):\n"
      "  File \"/opt/sglang/scheduler.py\", line 3169, in run_scheduler_process\n    run()\n{}\n\n"
      "[2026-03-02 {}] Received sigquit from a child process. It usually means the child failed.\n",
      time, rank, error, time);
}

std::string ready(const std::string& time) {
  return fmt::format("[2026-03-02 {}] The server is fired up and ready to roll!\n", time);
}

std::vector<std::string> outcomes(const Document& document) {
  std::vector<std::string> found;
  for (const TraceLaunch& launch : document.trace->launches)
    found.push_back(fmt::format("{}{}-{} {}", launch.server.empty() ? "" : launch.server + " ",
                                launch.first_line, launch.last_line, launch.outcome));
  return found;
}

bool has(const Document& document, const std::string& kind) {
  return std::any_of(document.findings.begin(), document.findings.end(),
                     [&](const Finding& finding) { return finding.kind == kind; });
}

}  // namespace

TEST_CASE(
    "of several launches the last is answered, and the earlier ones are listed with lines and outcomes") {
  const std::string first = args("10:00:00", "") + died("10:02:00", 3, "IndexError: first");
  const Document document = trace_of_log(first + args("10:30:00", "") + ready("10:33:00") +
                                         died("10:40:00", 5, "KeyError: second"));
  CHECK(document.trace->death->error == "KeyError");
  CHECK(document.trace->death->after_s == 600);
  CHECK_THAT(document.trace->summary, ContainsSubstring("600 s after start"));
  CHECK_THAT(document.trace->summary, ContainsSubstring("it had come up before"));
  CHECK(outcomes(document) == std::vector<std::string>{"1-7 unknown-death", "8-15 unknown-death"});
  CHECK(has(document, "earlier-launch"));
  const Document mended = trace_of_log(first + args("10:30:00", "") + ready("10:33:00"));
  CHECK_FALSE(mended.trace->death);
  CHECK(outcomes(mended) == std::vector<std::string>{"1-7 unknown-death", "8-9 no-failure-found"});
}

TEST_CASE("a step that is made again after an end begins a launch, before an end it doesn't") {
  const std::string step = "[2026-03-02 10:00:01 TP0] Load weight begin. avail mem=70\n";
  CHECK(trace_of_log(step + died("10:00:02", 0, "IndexError: a") + step).trace->launches.size() == 2);
  CHECK(trace_of_log(step + step + died("10:00:02", 0, "IndexError: a")).trace->launches.size() == 1);
  // Another rank is late.
  const std::string late = "[2026-03-02 10:00:03 TP1] Load weight begin. avail mem=70\n";
  CHECK(trace_of_log(step + died("10:00:02", 0, "IndexError: a") + late).trace->launches.size() == 1);
}

TEST_CASE("containers of one file are servers of their own, and nodes of one server are not") {
  const std::string a = prefixed(args("10:00:00", ", port=1"), "sglang-a  | "),
                    b = prefixed(args("10:00:01", ", port=2"), "sglang-b  | ");
  const Document document =
      trace_of_log(a + b + prefixed(died("10:00:09", 1, "IndexError: b"), "sglang-b  | ") +
                   prefixed(ready("10:01:00"), "sglang-a  | "));
  CHECK(document.trace->death->error == "IndexError");
  CHECK(outcomes(document) ==
        std::vector<std::string>{"sglang-a 1-9 no-failure-found", "sglang-b 2-8 unknown-death"});
  CHECK(has(document, "other-server"));
  const std::string nodes = ", nnodes=2, dist_init_addr='h:1', node_rank=";
  const Document one = trace_of_log(prefixed(args("10:00:00", nodes + "0"), "n-0  | ") +
                                    prefixed(args("10:00:01", nodes + "1"), "n-1  | ") +
                                    prefixed(died("10:00:09", 9, "IndexError: b"), "n-1  | "));
  CHECK(one.trace->launches.size() == 1);
  CHECK(one.trace->death->ranks == "9");
}

TEST_CASE("two vLLM servers in one file are told apart by pids") {
  std::string log;
  for (const int pid : {100, 900})
    log +=
        fmt::format("(APIServer pid={}) INFO 05-02 03:00:00 [a.py:1] vLLM API server version 0.12.0\n", pid);
  for (const int pid : {100, 900})
    log += fmt::format("(APIServer pid={}) INFO 05-02 03:00:01 [a.py:2] non-default args: {{}}\n", pid);
  log += prefixed(
      "EngineCore failed to start.\nTraceback (most recent call last):\n"
      "  File \"/opt/vllm/kv.py\", line 686, in check\n    raise\nValueError: No available memory\n",
      "(EngineCore_DP0 pid=930) ERROR 05-02 03:00:42 [core.py:708] ");
  log +=
      "(APIServer pid=100) INFO 05-02 03:01:00 [a.py:3] Starting vLLM API server 0 on http://0.0.0.0:8000\n"
      "(APIServer pid=100) INFO:     Application startup complete.\n";
  CHECK(outcomes(trace_of_log(log)) ==
        std::vector<std::string>{"pid 100 1-11 no-failure-found", "pid 900 2-9 unknown-death"});
}

TEST_CASE("two servers that nothing tells apart are unknown") {
  const Document document = trace_of_log(args("10:00:00", ", port=1") + args("10:00:01", ", port=2") +
                                         died("10:00:09", 1, "IndexError: whose") + ready("10:01:00"));
  CHECK(document.trace->outcome == "unknown");
  CHECK_FALSE(document.trace->death);
  CHECK_THAT(document.trace->summary, ContainsSubstring("two servers"));
}

TEST_CASE("a crash loop of a thousand launches is read in bounded memory, and the last is answered") {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += args("10:00:00", "") + died("10:02:00", i % 8, "IndexError: x");
  const Document document = trace_of_log(log);
  CHECK(document.trace->launches.size() <= 64);
  CHECK(document.trace->death->log_line == 6998);
}
