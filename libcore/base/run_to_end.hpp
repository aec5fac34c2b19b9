#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/subprocess.hpp"

namespace ringside {

// What ends a child that does not end by itself.
struct Supervision {
  std::optional<std::chrono::milliseconds> timeout = {};  // then SIGKILL; none: it may take for ever
  std::function<bool()> stop_requested = {};              // asked every 50 ms
  int stop_signal = SIGINT;            // what its process group gets then, for an orderly end
  std::chrono::milliseconds grace{0};  // for that end, before SIGKILL; 0: at once
};

// How a child process ended, why, and what it printed of what its streams keep.
struct ChildResult {
  enum class Stop { none, timed_out, interrupted };
  Stop stop = Stop::none;  // what was done about it: it may have ended in good order then
  ProcessEnd end;
  std::string output;
  std::string errors;  // what it wrote to stderr

  bool ok() const { return stop == Stop::none && end.ok(); }
};

// Runs `program` until it has ended, by itself or as `supervision` says, and all that it has started with it.
// One that SIGKILL has not ended in 10 s is reported (ProcessEnd::Kind::running). Throws as Subprocess does.
ChildResult run_to_end(const Program& program, const Streams& streams, const Supervision& supervision);

// As of its end; "did not end in time", "was interrupted".
std::string describe(const ChildResult& result);

}  // namespace ringside
