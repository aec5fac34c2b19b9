#include "base/child_process.hpp"

#include <string>

#include "support/catch.hpp"

using namespace ringside;
using namespace std::chrono_literals;

TEST_CASE("a child's output, errors and status come back apart") {
  const ChildResult result = run_child({"sh", "-c", "cat; echo oops >&2; exit 3"}, "hello", 10s);
  CHECK(result.end == ChildResult::End::exited);
  CHECK(result.code == 3);
  CHECK_FALSE(result.ok());
  CHECK(result.output == "hello");
  CHECK(result.errors == "oops\n");
  CHECK(describe(result) == "exited with status 3");
}

TEST_CASE("a child may print more than a pipe holds while it is still being fed") {
  const std::string megabyte(1 << 20, 'x');
  const ChildResult result = run_child({"cat"}, megabyte, 10s);
  CHECK(result.ok());
  CHECK(result.output == megabyte);
}

TEST_CASE("a child that ends before it has read its input is no error") {
  CHECK(run_child({"true"}, std::string(1 << 20, 'x'), 10s).ok());
}

TEST_CASE("a child that does not end is killed, and what it started too") {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = run_child({"sh", "-c", "sleep 60 & sleep 60"}, "", 200ms);
  CHECK(result.end == ChildResult::End::timed_out);
  CHECK(std::chrono::steady_clock::now() - begin < 5s);
}

TEST_CASE("a child that dies of a signal says which") {
  const ChildResult result = run_child({"sh", "-c", "kill -9 $$"}, "", 10s);
  CHECK(result.end == ChildResult::End::signalled);
  CHECK(describe(result) == "was killed by signal 9 (Killed)");
}

TEST_CASE("a program that is not there is reported, not thrown") {
  const ChildResult result = run_child({"ringside-no-such-program"}, "", 10s);
  CHECK(result.end == ChildResult::End::not_started);
  CHECK(describe(result) == "could not be started: No such file or directory");
}
