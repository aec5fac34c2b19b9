#include "base/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include "base/errors.hpp"
#include "base/fd.hpp"

extern char** environ;

namespace ringside {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t kKeep = 16 << 20;

struct Ends {
  UniqueFd ours;
  UniqueFd theirs;
};

// A socket pair does for a pipe and can be written without SIGPIPE.
Ends make_ends() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) throw SystemError("socketpair", errno);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

void drain(UniqueFd& fd, std::string& text) {
  std::array<char, 16384> bytes;
  for (;;) {
    const ssize_t count = ::read(fd.get(), bytes.data(), bytes.size());
    if (count > 0) {
      text.append(bytes.data(),
                  std::min(static_cast<std::size_t>(count), kKeep - std::min(kKeep, text.size())));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      if (count == 0 || errno != EAGAIN) fd.reset();
      return;
    }
  }
}

void feed(UniqueFd& fd, std::string_view& input) {
  const ssize_t count = ::send(fd.get(), input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
  if (input.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) fd.reset();
}

pid_t spawn(const std::vector<std::string>& argv, int in, int out, int err, int& error) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t pid = -1;
  error = ::posix_spawnp(&pid, words.front(), &actions, &attributes, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return pid;
}

// Waits for the child until the deadline, then ends its whole process group.
void reap(pid_t pid, steady_clock::time_point deadline, ChildResult& result) {
  int status = 0;
  result.end = ChildResult::End::exited;
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (steady_clock::now() >= deadline) {
      result.end = ChildResult::End::timed_out;
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (WIFSIGNALED(status)) {
    result.end = ChildResult::End::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& argv, std::string_view input,
                      std::chrono::milliseconds timeout) {
  ChildResult result;
  const auto deadline = steady_clock::now() + timeout;
  Ends in = make_ends();
  Ends out = make_ends();
  Ends err = make_ends();
  const pid_t pid = spawn(argv, in.theirs.get(), out.theirs.get(), err.theirs.get(), result.code);
  if (result.code != 0) return result;
  in.theirs.reset();
  out.theirs.reset();
  err.theirs.reset();
  if (input.empty()) in.ours.reset();

  while (out.ours || err.ours) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) break;
    std::array<pollfd, 3> entries = {pollfd{out.ours.get(), POLLIN, 0}, pollfd{err.ours.get(), POLLIN, 0},
                                     pollfd{in.ours.get(), POLLOUT, 0}};
    const int ready = ::poll(entries.data(), entries.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
    if (ready <= 0) continue;
    if (entries[0].revents != 0) drain(out.ours, result.output);
    if (entries[1].revents != 0) drain(err.ours, result.errors);
    if (entries[2].revents != 0) feed(in.ours, input);
  }
  reap(pid, deadline, result);
  return result;
}

std::string describe(const ChildResult& result) {
  switch (result.end) {
    case ChildResult::End::exited:
      return fmt::format("exited with status {}", result.code);
    case ChildResult::End::signalled:
      return fmt::format("was killed by signal {} ({})", result.code, ::strsignal(result.code));
    case ChildResult::End::timed_out:
      return "did not end in time";
    case ChildResult::End::not_started:
      break;
  }
  return fmt::format("could not be started: {}", std::strerror(result.code));
}

}  // namespace ringside
