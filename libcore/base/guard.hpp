#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/spawn.hpp"

namespace ringside {

// A guard stands between this process and a program of somebody else. It is the parent of the program, and
// becomes the one of whatever the program leaves behind (PR_SET_CHILD_SUBREAPER), in whatever group or
// session. It hands on the signals that it gets, reports how the program ended, and ends all that is left of
// it as soon as its lifeline is closed: by this process, or by the kernel when this process is gone.

// How the program ended, as waitpid() tells it.
struct GuardReport {
  int status = 0;
};

// In a process that spawn() has forked, with all signals blocked. All that follows is async-signal-safe.
void prepare_guard() noexcept;

// Its life from the start of `program` on. `scratch`: a folder to be removed at the end; null: none.
[[noreturn]] void run_guard(pid_t program, const GuardEnds& ends, const char* scratch) noexcept;

// Ends every child of this process by SIGKILL, and those that become its children by that, and reaps them.
// Returns false when some are left after `timeout`. For a guard, or in the place of one that has been killed:
// there may be no children that are to live on.
bool end_children(std::chrono::milliseconds timeout) noexcept;

}  // namespace ringside
