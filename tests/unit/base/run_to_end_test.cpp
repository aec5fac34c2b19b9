#include "base/run_to_end.hpp"

#include <signal.h>

#include <fstream>

#include "support/catch.hpp"
#include "support/processes.hpp"
#include "support/temporary_folder.hpp"

using namespace ringside;
using namespace std::chrono_literals;
using Stop = ChildResult::Stop;

namespace {

ChildResult shell(const std::string& script, const Supervision& supervision = {.timeout = 20s},
                  const Streams& streams = {}) {
  return run_to_end({.argv = {"sh", "-c", script}}, streams, supervision);
}

Streams with_input(std::string text) {
  return {.input = Streams::Input::text, .text = std::move(text)};
}

// A child that says when it is ready, and the request to stop it from then on.
ChildResult interrupt_when_ready(const std::string& script, std::chrono::milliseconds grace,
                                 int stop_signal = SIGINT) {
  std::string seen;
  const Keep keep = Keep::hand_to([&](std::string_view chunk) { seen += chunk; });
  ChildResult result = shell(script,
                             {.timeout = 20s,
                              .stop_requested = [&] { return seen.find("ready\n") != std::string::npos; },
                              .stop_signal = stop_signal,
                              .grace = grace},
                             {.output = keep});
  result.output = seen;
  return result;
}

}  // namespace

TEST_CASE("a child's output, errors and status come back apart") {
  const ChildResult result = shell("cat; echo oops >&2; exit 3", {.timeout = 20s}, with_input("hello"));
  CHECK(result.end.kind == ProcessEnd::Kind::exited);
  CHECK(result.end.code == 3);
  CHECK_FALSE(result.ok());
  CHECK(result.output == "hello");
  CHECK(result.errors == "oops\n");
  CHECK(describe(result) == "exited with status 3");
}

TEST_CASE("or output and errors come back together, in their order") {
  const ChildResult result = shell("echo a; echo b >&2; echo c", {.timeout = 20s}, {.together = true});
  CHECK(result.ok());
  CHECK(result.output == "a\nb\nc\n");
  CHECK(result.errors.empty());
}

TEST_CASE("a child reads nothing unless it is given something") {
  CHECK(shell("cat; readlink /proc/self/fd/0").output == "/dev/null\n");
}

TEST_CASE("a child may print more than a pipe holds, on both streams at once, whatever it is fed") {
  const std::string megabyte(1 << 20, 'x');
  const ChildResult result = shell("tee /dev/stderr", {.timeout = 20s}, with_input(megabyte));
  CHECK(result.ok());
  CHECK(result.output == megabyte);
  CHECK(result.errors == megabyte);
}

TEST_CASE("a child that ends before it has read its input is no error") {
  CHECK(run_to_end({.argv = {"true"}}, with_input(std::string(1 << 20, 'x')), {.timeout = 20s}).ok());
}

TEST_CASE("a child that does not end is killed, and what it started too") {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = shell("sleep 60 & echo $!; sleep 60", {.timeout = 300ms});
  CHECK(result.stop == Stop::timed_out);
  CHECK_FALSE(result.ok());
  CHECK(describe(result) == "did not end in time");
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
  CHECK(ends_within(std::stoi(result.output), 2s));
}

TEST_CASE("a child that prints without end is killed in time") {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = run_to_end({.argv = {"yes"}}, {.output = Keep::tail(100)}, {.timeout = 300ms});
  CHECK(result.stop == Stop::timed_out);
  CHECK(result.output.size() == 100);
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
}

TEST_CASE("a child that closes its streams is waited for all the same") {
  const ChildResult result = shell("exec >&- 2>&-; sleep 0.3; exit 4");
  CHECK(describe(result) == "exited with status 4");
}

TEST_CASE("something that holds the pipe after the child's end is not waited for") {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = shell("echo said; setsid sleep 60 & echo $!");
  CHECK(result.ok());
  CHECK(result.output.starts_with("said\n"));
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
  ::kill(std::stoi(result.output.substr(5)), SIGKILL);  // it has left the group
}

TEST_CASE("what a child leaves running in its group ends with it") {
  const ChildResult result = shell("sleep 60 & echo $!");
  CHECK(result.ok());
  CHECK(ends_within(std::stoi(result.output), 2s));
}

TEST_CASE("the last words of what a child has started are read while they come") {
  const char* script = "(sleep 0.9; echo a; sleep 0.9; echo b; sleep 60) & exit 5";
  const ChildResult result = shell(script, {.timeout = 20s}, {.linger = 1500ms});
  CHECK(result.output == "a\nb\n");
  CHECK(describe(result) == "exited with status 5");
  CHECK(shell(script).output.empty());
}

TEST_CASE("an interrupted child may end in good order, and its status is kept") {
  const ChildResult result =
      interrupt_when_ready("trap 'echo bye; exit 5' INT; echo ready; while :; do sleep 0.05; done", 15s);
  CHECK(result.stop == Stop::interrupted);
  CHECK(result.end.kind == ProcessEnd::Kind::exited);
  CHECK(result.end.code == 5);
  CHECK(result.output == "ready\nbye\n");
  CHECK(describe(result) == "was interrupted");
}

TEST_CASE("the signal of an interruption is the caller's choice") {
  const ChildResult result = interrupt_when_ready(
      "trap '' INT; trap 'exit 6' TERM; echo ready; while :; do sleep 0.05; done", 15s, SIGTERM);
  CHECK(result.end.code == 6);
}

TEST_CASE("an interrupted child that goes on is killed after its grace") {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result =
      interrupt_when_ready("trap '' INT; echo ready; while :; do sleep 0.05; done", 500ms);
  CHECK(result.stop == Stop::interrupted);
  CHECK(result.end.kind == ProcessEnd::Kind::signalled);
  CHECK(result.end.code == SIGKILL);
  CHECK(std::chrono::steady_clock::now() - begin >= 500ms);
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("without grace an interrupted child is killed at once") {
  const ChildResult result = interrupt_when_ready("trap 'exit 5' INT; echo ready; sleep 60", 0ms);
  CHECK(result.end.code == SIGKILL);
}

TEST_CASE("a child can be refused memory and files") {
  const TemporaryFolder folder;
  Program program{
      .argv = {"sh", "-c", "ulimit -v; ulimit -c; ulimit -t; echo text > \"$0\"", folder.path() / "file"}};
  program.limits = {.memory_bytes = 1 << 30, .file_bytes = 0, .core_bytes = 0, .cpu_time = 7s};
  const ChildResult result = run_to_end(program, {}, {.timeout = 20s});
  CHECK(result.output == "1048576\n0\n7\n");
  CHECK_FALSE(result.ok());
  CHECK(folder.read("file").empty());

  const std::vector<std::string> hungry = {"python3", "-c", "print(len(bytearray(1 << 28)))"};
  CHECK(run_to_end({.argv = hungry, .limits = {.memory_bytes = std::size_t{1} << 30}}, {}, {}).ok());
  CHECK_FALSE(run_to_end({.argv = hungry, .limits = {.memory_bytes = 200 << 20}}, {}, {}).ok());
}
