#include "base/guard.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ringside {
namespace {

using namespace std::chrono_literals;

constexpr auto kEndTimeout = 4s;  // for what SIGKILL doesn't end at once: then it is left alone
constexpr int kDeepest = 16;      // folders within a scratch folder
constexpr int kPasses = 4;
constexpr int kMostDescriptors = 65536;

// An entry of a folder as the kernel gives it.
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[256];
};
constexpr std::size_t kHead = offsetof(Entry, name);

// Calls `take` with the name of each entry of the open folder: readdir() may allocate.
template <typename Take>
void each_entry(int folder, Take take) noexcept {
  alignas(Entry) std::array<char, 4096> buffer;
  for (;;) {
    const long got = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size());
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      unsigned short size;
      std::memcpy(&size, buffer.data() + at + offsetof(Entry, size), sizeof size);
      take(buffer.data() + at + kHead);
      at += size;
    }
  }
}

// 0: no number.
pid_t number(const char* text) noexcept {
  pid_t value = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return 0;
    value = value * 10 + (*text - '0');
  }
  return value;
}

// The parent of the process whose folder in /proc has this name; 0: it is gone.
pid_t parent_of(int proc, const char* name) noexcept {
  std::array<char, 64> path;
  const std::size_t length = std::strlen(name);
  if (length + sizeof "/stat" > path.size()) return 0;
  std::memcpy(path.data(), name, length);
  std::memcpy(path.data() + length, "/stat", sizeof "/stat");
  const int file = ::openat(proc, path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text;
  const ssize_t got = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[static_cast<std::size_t>(got)] = '\0';
  // "pid (name) state parent ..."; a name may hold anything.
  const char* const name_end = std::strrchr(text.data(), ')');
  if (name_end == nullptr || std::strlen(name_end) < 5) return 0;
  pid_t parent = 0;
  for (const char* digit = name_end + 4; *digit >= '0' && *digit <= '9'; ++digit)
    parent = parent * 10 + (*digit - '0');
  return parent;
}

void kill_children() noexcept {
  const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return;
  const pid_t self = ::getpid();
  each_entry(proc, [&](const char* name) {
    const pid_t pid = number(name);
    if (pid > 0 && parent_of(proc, name) == self) ::kill(pid, SIGKILL);
  });
  ::close(proc);
}

std::int64_t milliseconds_now() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Kills and reaps until no child is left; `take` gets each one's pid and status.
template <typename Take>
bool end_children(std::chrono::milliseconds timeout, Take take) noexcept {
  const std::int64_t deadline = milliseconds_now() + timeout.count();
  for (;;) {
    kill_children();
    ::poll(nullptr, 0, 5);  // they end, and leave theirs to this process
    int status = 0;
    pid_t pid;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) take(pid, status);
    if (pid < 0 && errno != EINTR) return true;
    if (milliseconds_now() >= deadline) return false;
  }
}

void remove_content(int folder, int depth) noexcept {
  each_entry(folder, [&](const char* name) {
    if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) return;
    if (::unlinkat(folder, name, 0) == 0 || depth == 0) return;
    const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0) return;
    remove_content(inner, depth - 1);
    ::close(inner);
    ::unlinkat(folder, name, AT_REMOVEDIR);
  });
}

void remove_folder(const char* path) noexcept {
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  // Some file systems skip entries of a folder that changes while it is read.
  for (int pass = 0; pass < kPasses; ++pass) {
    ::lseek(folder, 0, SEEK_SET);
    remove_content(folder, kDeepest);
    if (::rmdir(path) == 0) break;
  }
  ::close(folder);
}

class Guard {
 public:
  Guard(pid_t program, int lifeline, int report) noexcept
      : program_(program), lifeline_(lifeline), report_(report) {}

  // Until the lifeline is closed.
  void watch() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    const int signals = ::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    for (;;) {
      reap();  // it may have ended before the line above
      std::array<pollfd, 2> entries = {pollfd{lifeline_, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
      if (::poll(entries.data(), entries.size(), signals < 0 ? 50 : -1) < 0 && errno != EINTR) return;
      if (entries[0].revents != 0) return;
      signalfd_siginfo info{};
      while (::read(signals, &info, sizeof info) == sizeof info) hand_on(static_cast<int>(info.ssi_signo));
    }
  }

  void end_all() noexcept {
    if (!ended_) ::kill(-program_, SIGKILL);  // all at once, and it may have children only in its group
    end_children(kEndTimeout, [this](pid_t pid, int status) { take(pid, status); });
  }

 private:
  void hand_on(int number) const noexcept {
    if (number != SIGCHLD && number != SIGCONT && !ended_) ::kill(-program_, number);
  }

  void reap() noexcept {
    int status = 0;
    pid_t pid;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) take(pid, status);
  }

  void take(pid_t pid, int status) noexcept {
    if (pid != program_ || ended_) return;
    ended_ = true;
    const GuardReport report{status};
    [[maybe_unused]] const ssize_t written = ::write(report_, &report, sizeof report);
  }

  pid_t program_;
  int lifeline_;
  int report_;
  bool ended_ = false;
};

void close_from(int first) noexcept {
  if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) return;
  for (int fd = first; fd < kMostDescriptors; ++fd) ::close(fd);  // before Linux 5.9
}

}  // namespace

void prepare_guard() noexcept {
  ::setpgid(0, 0);
  ::signal(SIGCHLD, SIG_DFL);  // where it is ignored nobody learns how a child ended
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);  // one that somebody has stopped has work to do then
  ::prctl(PR_SET_NAME, "ringside-guard");
}

void run_guard(pid_t program, const GuardEnds& ends, const char* scratch) noexcept {
  // It keeps nothing open that this process or the program has: both wait for the end of pipes.
  constexpr int kLifeline = 0;
  constexpr int kReport = 1;
  ::dup2(ends.lifeline, kLifeline);
  ::dup2(ends.report, kReport);
  close_from(kReport + 1);
  Guard guard(program, kLifeline, kReport);
  guard.watch();
  guard.end_all();
  if (scratch != nullptr) remove_folder(scratch);
  ::_exit(0);
}

bool end_children(std::chrono::milliseconds timeout) noexcept {
  return end_children(timeout, [](pid_t, int) {});
}

}  // namespace ringside
