#include "trace/core/traceback_reader.hpp"

#include <fmt/format.h>

#include "support/catch.hpp"
#include "unit/trace/core/logged.hpp"

using namespace ringside;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kHead =
    "[2026-03-02 10:00:09 TP1] Scheduler hit an exception: Traceback (most recent call last):\n";
const std::string kFrame = "  File \"/opt/x.py\", line 3, in f\n    g()\n";
const std::string kNext = "[2026-03-02 10:00:10] Received sigquit from a child process.\n";

TraceDeath death_in(const std::string& log) {
  const Document document = trace_of_log(log);
  REQUIRE(document.trace->death);
  return *document.trace->death;
}

}  // namespace

TEST_CASE("a traceback ends at the first line at its own indent, whatever the class is called") {
  for (const char* name : {"triton.runtime.errors.OutOfResources", "starlette.requests.ClientDisconnect",
                           "NVMLError_LibraryNotFound", "torch._dynamo.exc.BackendCompilerFailed",
                           "ray.exceptions.GetTimeout", "Timeout", "zmq.Again", "Fault"}) {
    CAPTURE(name);
    CHECK(death_in(kHead + kFrame + name + ": said\n" + kNext).error == name);
    CHECK(death_in(kHead + kFrame + name + "\n" + kNext).message.empty());
    CHECK(trace_of_log(kHead + kFrame + name + "\n" + kNext).trace->summary.find("cut off") ==
          std::string::npos);
  }
}

TEST_CASE("an indented traceback ends at its own indent") {
  const std::string inner = prefixed(kHead.substr(kHead.find("Trace")) + kFrame + "KeyError: 12\n", "    ");
  CHECK(death_in(inner).error == "KeyError");
}

TEST_CASE("what others print inside a traceback does not end it") {
  for (const char* line : {"INFO:     Shutting down", "[2026-03-02 10:00:09 TP0] Decode batch", "Killed",
                           "Capturing batches (bs=1):   3%|  | 1/36 [00:00<00:09, 3.0it/s]"}) {
    CAPTURE(line);
    CHECK(death_in(kHead + kFrame + line + "\n" + kFrame + "KeyError: 12\n" + kNext).frames.size() == 2);
  }
}

TEST_CASE("a message keeps all its lines, and nothing that others print behind it") {
  const std::string message =
      "DistBackendError: NCCL error in: a.hpp:275\nncclSystemError: System call failed.\nLast error:\nError "
      "while "
      "creating shared memory segment /dev/shm/nccl-x (size 33)\n";
  for (const std::string& behind :
       {std::string("\n") + kNext, kNext, std::string("Killed\n"), std::string("\n\n\nmore\n"),
        std::string("[rank0]:[W1 10:00:00.1 a.cpp:1] Warning: x\n")}) {
    CAPTURE(behind);
    CHECK(death_in(kHead + kFrame + message + behind).message ==
          message.substr(message.find(' ') + 1, message.size() - message.find(' ') - 2));
  }
  CHECK(death_in(kHead + kFrame +
                 "CompilationError: at 32:11:\n    a = b\n        ^\n\nValueError('fp8e4nv')\n" + kNext)
            .message == "at 32:11:\n    a = b\n        ^\n\nValueError('fp8e4nv')");
}

TEST_CASE("of a chain all exceptions are kept, and the first is the death") {
  for (const char* mark : {"During handling of the above exception, another exception occurred:",
                           "The above exception was the direct cause of the following exception:"}) {
    const TraceDeath death =
        death_in(kHead + kFrame + "IndexError: first\n\n" + mark +
                 "\n\nTraceback (most recent call last):\n" + kFrame + "RuntimeError: second\n\n" + mark +
                 "\n\nTraceback (most recent call last):\n" + kFrame + "Exception: third\n" + kNext);
    CHECK(death.error == "IndexError");
    CHECK(death.ranks == "1");
    CHECK(death.chain == std::vector<std::string>{"RuntimeError: second", "Exception: third"});
  }
}

TEST_CASE("chains of ranks that print into each other keep to their ranks") {
  std::string log;
  const std::string mark = "During handling of the above exception, another exception occurred:\n";
  for (const char* line :
       {"Traceback (most recent call last):\n", "  File \"/opt/x.py\", line 3, in f\n", "IndexError: a\n",
        "\n", "During handling of the above exception, another exception occurred:\n", "\n",
        "Traceback (most recent call last):\n", "  File \"/opt/x.py\", line 5, in f\n", "KeyError: b\n"})
    for (const char* rank : {"[rank0]: ", "[rank1]: "}) log += std::string(rank) + line;
  const TraceDeath death = death_in(log);
  CHECK((death.error == "IndexError" && death.chain.size() == 1 && death.ranks == "0-1"));
}

TEST_CASE("a traceback that its process survives is no death, though the server never came up") {
  for (const char* words : {"[2026-03-02 10:00:05] ERROR:    Exception in ASGI application",
                            "Exception ignored in: <f>", "Task exception was never retrieved"}) {
    const std::string handled =
        std::string(words) + "\nTraceback (most recent call last):\n" + kFrame + "ValueError: x\n\n";
    CHECK(death_in(handled + kHead + kFrame + "KeyError: 12\n" + kNext).error == "KeyError");
    CHECK(trace_of_log("[2026-03-02 10:00:00] The server is fired up and ready to roll!\n" + handled)
              .trace->outcome == "no-failure-found");
  }
}

TEST_CASE("any number of tracebacks is read, and the first fatal one is the death") {
  std::string log = kHead + kFrame + "IndexError: first\n" + kNext;
  for (int i = 0; i < 3000; ++i)
    log += fmt::format(
        "[2026-03-02 10:00:09 TP{}] Scheduler hit an exception: Traceback (most recent call last):\n"
        "  File \"/opt/y{}.py\", line 3, in f\nKeyError: {}\n",
        i % 8, i, i);
  CHECK(death_in(log).error == "IndexError");
}

TEST_CASE("a traceback in one record of JSON, or with its ends of lines written out, is read") {
  std::string escaped;
  for (const char c : kHead + kFrame + "KeyError: 12")
    escaped += c == '\n' ? std::string("\\n") : c == '"' ? "\\\"" : std::string(1, c);
  CHECK(death_in("{\"message\":\"" + escaped + "\"}\n").ranks == "1");
  std::string written;
  for (const char c : kHead + kFrame + "KeyError: 12")
    written += c == '\n' ? std::string("\\n") : std::string(1, c);
  CHECK(death_in(written + "\n").error == "KeyError");
}

TEST_CASE("the parts of a line that a collector cut are put together") {
  std::string log;
  const std::string text = kHead + kFrame + "KeyError: " + std::string(100, 'x') + "\n" + kNext;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), at + 30);
    log += fmt::format("2026-03-02T10:00:00.1Z stderr {} {}\n", text[end] == '\n' ? 'F' : 'P',
                       text.substr(at, end - at));
    at = end + (text[end] == '\n' ? 1 : 0);
  }
  CHECK(death_in(log).message == std::string(100, 'x'));
}
