#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ringside {

// What a child process may use; none: what this process may.
struct ResourceLimits {
  std::optional<std::size_t> memory_bytes = {};       // address space
  std::optional<std::size_t> file_bytes = {};         // size of a file that it writes; 0: it can write none
  std::optional<std::size_t> core_bytes = {};         // size of a core dump
  std::optional<std::chrono::seconds> cpu_time = {};  // then SIGKILL
};

struct PassedFd {
  int fd = -1;      // in this process, which goes on owning it
  int number = -1;  // in the child
};

// A program, and what it is given.
struct Program {
  std::vector<std::string> argv;
  std::string file = {};  // what is executed; empty: argv[0]. Without a slash it is searched on PATH
  std::optional<std::vector<std::string>> environment =
      {};  // "NAME=value" strings; none: that of this process
  ResourceLimits limits = {};
  std::vector<PassedFd> descriptors = {};
  // Also descriptors that this process was given open at exec, as a shell's <(command) is. Otherwise a child
  // has its standard streams and `descriptors` alone (from Linux 5.11 on; before, what this process opened
  // itself is close-on-exec).
  bool pass_open_descriptors = false;
  // A program of somebody else, which may start processes that leave its group or its session: none of them
  // outlives this process, however it ends (see guard.hpp).
  bool guarded = false;
  std::string scratch = {};  // guarded: a folder that is removed once all of them have ended; empty: none
};

// What a guard holds; both are of this process, which goes on owning them.
struct GuardEnds {
  int lifeline = -1;  // read end: closed at the other end when all has to end
  int report = -1;    // write end: takes a GuardReport
};

struct Spawned {
  pid_t pid = -1;  // of its guard, where there is one
  int error = 0;   // errno of the start; 0: it runs
};

// Starts `program` with these descriptors as its standard streams, in a process group of its own, with an
// empty signal mask and the default action of every signal, but for those that this process ignores; SIGPIPE,
// SIGXFSZ and SIGINT have it even then: this process ignores the first two for itself, and a shell's
// background job ignores SIGINT, and could not be ended in order. Returns when the program has been executed,
// or with the reason why it can't be: nothing is left then. Throws SystemError when this process has no
// descriptors left.
//
// The kernel kills the child (SIGKILL) when the *thread* that called this ends, however it does: call it from
// a thread that lives as long as the child may. What the child starts in turn is not reached by that. A
// guarded child has a guard instead, which is given `guard`.
Spawned spawn(const Program& program, int in, int out, int err, const GuardEnds& guard = {});

}  // namespace ringside
