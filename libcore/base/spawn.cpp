#include "base/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/guard.hpp"
#include "base/text.hpp"

extern char** environ;

namespace ringside {
namespace {

constexpr unsigned kCloseRangeCloexec = 1U << 2;  // CLOSE_RANGE_CLOEXEC of linux/close_range.h
constexpr char kShell[] = "/bin/sh";

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// The paths that execvp would try, in its order.
std::vector<std::string> candidates(const std::string& file) {
  if (file.empty() || file.find('/') != std::string::npos) return {file};
  const char* const path = std::getenv("PATH");
  std::vector<std::string> paths;
  for (const std::string& folder : split(path ? path : "/bin:/usr/bin", ':'))
    paths.push_back(folder.empty() ? file : folder + "/" + file);
  return paths;
}

// All that the child needs between fork and exec. It is made before the fork: another thread may have held
// the allocator's lock then, so that the child can call only what is async-signal-safe. Refers to `program`.
class Plan {
 public:
  Plan(const Program& program, int in, int out, int err, const GuardEnds& guard)
      : paths_(candidates(program.file.empty() ? program.argv.front() : program.file)),
        argv_(pointers(program.argv)),
        script_argv_(argv_),
        own_environment_(program.environment ? pointers(*program.environment) : std::vector<char*>{}),
        environment_(program.environment ? own_environment_.data() : environ),
        limits_(program.limits),
        pass_open_descriptors_(program.pass_open_descriptors),
        guarded_(program.guarded),
        scratch_(program.scratch),
        guard_(guard) {
    script_argv_.insert(script_argv_.begin(), const_cast<char*>(kShell));
    std::vector<PassedFd> all = {{in, STDIN_FILENO}, {out, STDOUT_FILENO}, {err, STDERR_FILENO}};
    all.insert(all.end(), program.descriptors.begin(), program.descriptors.end());
    const auto number = [](const PassedFd& passed) { return passed.number; };
    const int above = number(*std::ranges::max_element(all, {}, number)) + 1;
    for (const PassedFd& passed : all) moves_.push_back({lift(passed.fd, above), passed.number});
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) throw SystemError("pipe2", errno);
    failure_ = UniqueFd(fds[0]);
    tell_ = lift(UniqueFd(fds[1]).get(), above);
  }

  // In the child: only async-signal-safe calls, from here on.
  [[noreturn]] void become(pid_t parent) noexcept {
    if (guarded_) parent = stand_between();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // it died before the call above
    fail(execute());
  }

  // In the parent: waits for the exec. Returns the errno that has prevented it, or 0.
  int failure() {
    tell_.reset();
    int error = 0;
    ssize_t count;
    do {
      count = ::read(failure_.get(), &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    return count == sizeof error ? error : 0;
  }

 private:
  struct Move {
    UniqueFd from;
    int number;
  };

  [[noreturn]] void fail(int error) noexcept {
    [[maybe_unused]] const ssize_t written = ::write(tell_.get(), &error, sizeof error);
    ::_exit(127);
  }

  // Makes this process the guard of one that it starts, and returns in that one, with the guard's pid.
  pid_t stand_between() noexcept {
    const pid_t guard = ::getpid();
    prepare_guard();
    const pid_t program = ::_Fork();
    if (program < 0) fail(errno);
    if (program > 0) ::setpgid(program, program);  // a signal for it may come before it has done so itself
    if (program > 0) run_guard(program, guard_, scratch_.empty() ? nullptr : scratch_.c_str());
    return guard;
  }

  // A duplicate above the numbers that the child assigns, so that none overwrites another.
  static UniqueFd lift(int fd, int above) {
    UniqueFd lifted(::fcntl(fd, F_DUPFD_CLOEXEC, above));
    if (!lifted) throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno);
    return lifted;
  }

  // Returns only with an errno.
  int execute() noexcept {
    ::setpgid(0, 0);
    default_signals();
    if (!pass_open_descriptors_) ::syscall(SYS_close_range, 3U, ~0U, kCloseRangeCloexec);
    for (const Move& move : moves_)
      if (::dup2(move.from.get(), move.number) < 0) return errno;
    limit(RLIMIT_AS, limits_.memory_bytes);
    limit(RLIMIT_FSIZE, limits_.file_bytes);
    limit(RLIMIT_CORE, limits_.core_bytes);
    if (limits_.cpu_time) limit(RLIMIT_CPU, static_cast<std::size_t>(limits_.cpu_time->count()));
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    return execute_first();
  }

  static void default_signals() noexcept {
    for (int number = 1; number < NSIG; ++number) {
      struct sigaction action;
      if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_DFL) continue;
      if (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGINT && number != SIGXFSZ)
        continue;
      action.sa_handler = SIG_DFL;
      action.sa_flags = 0;
      ::sigaction(number, &action, nullptr);
    }
  }

  static void limit(__rlimit_resource resource, const std::optional<std::size_t>& value) noexcept {
    if (!value) return;
    const rlimit both{*value, *value};
    ::setrlimit(resource, &both);
  }

  // As execvp does: the first that can be executed, a file of no known format as a script of the shell.
  int execute_first() noexcept {
    int problem = ENOENT;
    for (const std::string& path : paths_) {
      ::execve(path.c_str(), argv_.data(), environment_);
      if (errno == ENOEXEC) {
        script_argv_[1] = const_cast<char*>(path.c_str());
        ::execve(kShell, script_argv_.data(), environment_);
      }
      if (errno == EACCES)
        problem = EACCES;
      else if (errno != ENOENT && errno != ENOTDIR)
        return errno;
    }
    return paths_.size() == 1 ? errno : problem;
  }

  std::vector<std::string> paths_;
  std::vector<char*> argv_;
  std::vector<char*> script_argv_;  // the shell, a path, the arguments
  std::vector<char*> own_environment_;
  char* const* environment_;
  ResourceLimits limits_;
  bool pass_open_descriptors_;
  bool guarded_;
  std::string scratch_;
  GuardEnds guard_;
  std::vector<Move> moves_;
  UniqueFd failure_;
  UniqueFd tell_;
};

// No handler of this process may run in the child before it has other ones.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

Spawned spawn(const Program& program, int in, int out, int err, const GuardEnds& guard) {
  if (program.argv.empty()) throw InternalError("a program without argv was to be started");
  Plan plan(program, in, out, err, guard);
  const pid_t parent = ::getpid();
  Spawned spawned;
  {
    const BlockedSignals blocked;
    spawned.pid = ::fork();
    if (spawned.pid == 0) plan.become(parent);
    spawned.error = spawned.pid < 0 ? errno : 0;
  }
  if (spawned.error == 0) spawned.error = plan.failure();
  if (spawned.error == 0) return spawned;
  if (spawned.pid > 0) {
    if (program.guarded) ::kill(spawned.pid, SIGKILL);  // it has nothing to guard, and waits for its lifeline
    while (::waitpid(spawned.pid, nullptr, 0) < 0 && errno == EINTR) continue;
    spawned.pid = -1;
  }
  return spawned;
}

}  // namespace ringside
