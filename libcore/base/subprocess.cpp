#include "base/subprocess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>

#include "base/errors.hpp"
#include "base/guard.hpp"
#include "base/output_file.hpp"

namespace ringside {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kKillTimeout = 10s;  // what SIGKILL doesn't end by then is not waited for
constexpr auto kGuardTimeout = 6s;  // for a guard to end all that it guards
constexpr auto kLook = 10ms;        // between looks at a child that no descriptor stands for

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Pipe make_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) throw SystemError("pipe2", errno);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// As a file in memory the text needs nobody to feed it, and a child that reads none of it blocks nobody.
UniqueFd file_of(const std::string& text) {
  UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file) throw SystemError("memfd_create", errno);
  write_all(file.get(), text, "the input of a child process");
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

UniqueFd open_input(const Streams& streams) {
  if (streams.input == Streams::Input::text) return file_of(streams.text);
  const bool inherited = streams.input == Streams::Input::inherited;
  UniqueFd fd(inherited ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                        : ::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!fd) throw SystemError(inherited ? "stdin" : "/dev/null", errno);
  return fd;
}

ProcessEnd end_of(int status) {
  if (WIFSIGNALED(status)) return {ProcessEnd::Kind::signalled, WTERMSIG(status)};
  return {ProcessEnd::Kind::exited, WEXITSTATUS(status)};
}

// Reaps a child that has ended, or ends soon.
std::optional<int> status_of(pid_t pid) {
  int status = 0;
  pid_t reaped;
  do {
    reaped = ::waitpid(pid, &status, 0);
  } while (reaped < 0 && errno == EINTR);
  if (reaped != pid) return std::nullopt;
  return status;
}

// Whether a child has ended; it is not reaped. One that somebody else has waited for has ended, too.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  const int result = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  if (result < 0) return errno == ECHILD;
  return info.si_pid != 0;
}

}  // namespace

std::string describe(const ProcessEnd& end) {
  switch (end.kind) {
    case ProcessEnd::Kind::not_started:
      return fmt::format("could not be started: {}", std::strerror(end.code));
    case ProcessEnd::Kind::exited:
      return fmt::format("exited with status {}", end.code);
    case ProcessEnd::Kind::signalled:
      return fmt::format("was killed by signal {} ({})", end.code, ::strsignal(end.code));
    case ProcessEnd::Kind::unknown:
      return "ended with an unknown status";
    case ProcessEnd::Kind::running:
      break;
  }
  return "did not end after SIGKILL";
}

Subprocess::Subprocess(const Program& program, const Streams& streams)
    : guarded_(program.guarded), linger_(streams.linger) {
  const UniqueFd in = open_input(streams);
  Pipe out = make_pipe();
  Pipe err = streams.together ? Pipe{} : make_pipe();
  const int err_fd = streams.together ? out.write_end.get() : err.write_end.get();
  Pipe lifeline, report;
  if (guarded_) {
    lifeline = make_pipe();
    report = make_pipe();
    ::fcntl(report.read_end.get(), F_SETFL, O_NONBLOCK);
    // What a guard leaves that is killed comes to this process: finish_guarded() ends it.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  const Spawned spawned = spawn(program, in.get(), out.write_end.get(), err_fd,
                                {lifeline.read_end.get(), report.write_end.get()});
  if (spawned.error != 0) {
    end_ = ProcessEnd{ProcessEnd::Kind::not_started, spawned.error};
    return;
  }
  pid_ = spawned.pid;
  lifeline_ = std::move(lifeline.write_end);
  end_fd_ =
      guarded_ ? std::move(report.read_end) : UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0U)));
  output_ = DrainedPipe(std::move(out.read_end), streams.output);
  if (!streams.together) errors_ = DrainedPipe(std::move(err.read_end), streams.errors);
}

Subprocess::~Subprocess() {
  if (end_) return;
  output_ = DrainedPipe();  // nobody is interested any more
  errors_ = DrainedPipe();
  linger_ = 0ms;
  kill();
  try {
    wait(std::chrono::ceil<std::chrono::milliseconds>(*killed_at_ + kKillTimeout - steady_clock::now()));
  } catch (const std::exception&) {  // poll() failed; SIGKILL is on its way
  }
}

const std::optional<ProcessEnd>& Subprocess::end() {
  if (end_) return end_;
  if (!quiet_since_) {
    if (!is_over()) return end_;
    quiet_since_ = steady_clock::now();
  }
  const bool silent = output_.fd() < 0 && errors_.fd() < 0;
  if (silent || steady_clock::now() - *quiet_since_ >= linger_) finish();
  return end_;
}

bool Subprocess::is_over() {
  // Without reaping it: until then nothing else gets its number, which the group's is.
  if (!guarded_) return has_ended(pid_);
  GuardReport report;
  ssize_t got;
  do {
    got = ::read(end_fd_.get(), &report, sizeof report);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return errno != EAGAIN;
  if (got == sizeof report) reported_ = end_of(report.status);
  return true;  // without a report: its guard was killed, and the child with it
}

void Subprocess::finish() {
  if (guarded_) {
    finish_guarded();
  } else {
    ::kill(-pid_, SIGKILL);
    const std::optional<int> status = status_of(pid_);
    end_ = status ? end_of(*status) : ProcessEnd{ProcessEnd::Kind::unknown, 0};
  }
  output_.drain();
  errors_.drain();
}

void Subprocess::finish_guarded() {
  lifeline_.reset();
  ::kill(pid_, SIGCONT);  // somebody may have stopped it
  const auto deadline = steady_clock::now() + kGuardTimeout;
  while (!has_ended(pid_) && steady_clock::now() < deadline) {
    output_.drain();
    errors_.drain();
    ::poll(nullptr, 0, 1);
  }
  ::kill(pid_, SIGKILL);
  const std::optional<int> status = status_of(pid_);
  // A guard that was killed has left what it guarded to this process.
  if (status && !(WIFEXITED(*status) && WEXITSTATUS(*status) == 0))
    end_children(std::chrono::duration_cast<std::chrono::milliseconds>(kGuardTimeout));
  end_ = reported_.value_or(ProcessEnd{ProcessEnd::Kind::signalled, SIGKILL});
}

void Subprocess::signal(int number) const {
  if (!end_) ::kill(-pid_, number);
}

void Subprocess::kill() {
  if (end_) return;
  if (!killed_at_) killed_at_ = steady_clock::now();
  if (guarded_) {
    lifeline_.reset();
    ::kill(pid_, SIGCONT);
    return;
  }
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // it may have moved to another group
}

bool Subprocess::wait(std::chrono::milliseconds timeout) {
  const auto deadline = steady_clock::now() + timeout;
  while (!end()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    if (left <= 0ms) return false;
    poll_for(left);
  }
  return true;
}

void Subprocess::poll_for(std::chrono::milliseconds timeout) {
  if (quiet_since_) {
    const auto quiet = steady_clock::now() - *quiet_since_;
    timeout = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(linger_ - quiet), 1ms, timeout);
  } else if (!end_fd_) {  // no pidfd
    timeout = std::min<std::chrono::milliseconds>(timeout, kLook);
  }
  std::array<pollfd, 3> entries = {pollfd{output_.fd(), POLLIN, 0}, pollfd{errors_.fd(), POLLIN, 0},
                                   pollfd{quiet_since_ ? -1 : end_fd_.get(), POLLIN, 0}};
  if (::poll(entries.data(), entries.size(), static_cast<int>(timeout.count())) < 0 && errno != EINTR)
    throw SystemError("poll", errno);
  std::size_t taken = 0;
  if (entries[0].revents != 0) taken += output_.drain();
  if (entries[1].revents != 0) taken += errors_.drain();
  if (quiet_since_ && taken > 0) quiet_since_ = steady_clock::now();
}

}  // namespace ringside
