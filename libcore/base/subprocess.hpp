#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "base/drained_pipe.hpp"
#include "base/fd.hpp"
#include "base/spawn.hpp"

namespace ringside {

// How a process ended.
struct ProcessEnd {
  enum class Kind {
    not_started,  // code: errno
    exited,       // code: exit status
    signalled,    // code: signal
    unknown,      // something else in this process has waited for it, or SIGCHLD is ignored
    running       // it did not: SIGKILL has not ended it, as in a system call that can't be interrupted
  };
  Kind kind = Kind::not_started;
  int code = 0;

  bool ok() const { return kind == Kind::exited && code == 0; }
};

// For people, after the name of the process: "exited with status 3", "was killed by signal 9 (Killed)",
// "could not be started: No such file or directory".
std::string describe(const ProcessEnd& end);

// The standard streams of a child.
struct Streams {
  enum class Input { nothing, text, inherited };  // nothing: /dev/null
  Input input = Input::nothing;
  std::string text = {};  // what Input::text gives, whether or not it is read
  bool together = false;  // stderr goes where stdout goes
  Keep output = Keep::head(16 << 20);
  Keep errors = Keep::head(16 << 20);
  // After the child's end, what it has started may still print: its group is ended once nothing has come for
  // so long.
  std::chrono::milliseconds linger{0};
};

// A child process, its process group, and the pipes of what it prints. Whatever the caller does, no part of
// the group outlives the object, and the child does not outlive the thread that has made it (see spawn()). Of
// a guarded program nothing that it has started outlives the object or this process, in whatever group it is.
// To be used from one thread.
class Subprocess {
 public:
  // Starts it. A program that can't be started is one that has ended (ProcessEnd::Kind::not_started). Throws
  // SystemError when this process has no descriptors left.
  explicit Subprocess(const Program& program, const Streams& streams = {});
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;
  Subprocess(Subprocess&&) = delete;
  // Ends the group by SIGKILL and waits for the child; one that has not ended 10 s after it is left alone.
  ~Subprocess();

  pid_t pid() const { return pid_; }  // of its guard where it has one; -1: not started
  DrainedPipe& output() { return output_; }
  DrainedPipe& errors() { return errors_; }

  // How it ended; nothing while it runs. Does not wait. Once it has ended the rest of its group is ended too,
  // and what they have printed is in the pipes' texts: something that left the group may keep a pipe open.
  const std::optional<ProcessEnd>& end();

  void signal(int number) const;  // to its process group
  void kill();                    // SIGKILL to its process group, without waiting

  // Drains its pipes until it has ended (true) or `timeout` has passed.
  bool wait(std::chrono::milliseconds timeout);

 private:
  bool is_over();  // whether the child has ended; it is not reaped
  void finish();
  void finish_guarded();
  void poll_for(std::chrono::milliseconds timeout);

  pid_t pid_ = -1;
  UniqueFd end_fd_;    // becomes readable when the child ends; none before Linux 5.3
  UniqueFd lifeline_;  // guarded: its guard ends all once this is closed
  bool guarded_ = false;
  DrainedPipe output_;
  DrainedPipe errors_;
  std::chrono::milliseconds linger_;
  std::optional<std::chrono::steady_clock::time_point> quiet_since_;  // the child's end, or bytes after it
  std::optional<std::chrono::steady_clock::time_point> killed_at_;
  std::optional<ProcessEnd> reported_;  // by its guard
  std::optional<ProcessEnd> end_;
};

}  // namespace ringside
