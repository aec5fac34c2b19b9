#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// How a short-lived child process ended and what it printed.
struct ChildResult {
  enum class End { exited, signalled, timed_out, not_started };
  End end = End::not_started;
  int code = 0;  // exit status, signal number, or errno of the start
  std::string output;
  std::string errors;  // what it wrote to stderr

  bool ok() const { return end == End::exited && code == 0; }
};

// Runs argv[0] (searched in PATH unless it holds a slash) with `input` on its stdin, and waits for its end or
// the timeout; then it is killed, and all it has started with it. At most 16 MiB of each stream are kept.
ChildResult run_child(const std::vector<std::string>& argv, std::string_view input,
                      std::chrono::milliseconds timeout);

// For people: "exited with status 3", "was killed by signal 9 (Killed)", "did not end in time".
std::string describe(const ChildResult& result);

}  // namespace ringside
