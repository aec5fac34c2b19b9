#include "rank/rank_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/errors.hpp"
#include "rank/rank_arguments.hpp"

extern char** environ;

namespace ringside {
namespace {

struct Pair {
  UniqueFd ours;
  UniqueFd theirs;
};

Pair make_socket_pair() {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) throw SystemError("socketpair", errno);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

Pair make_output_pipe() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) throw SystemError("pipe2", errno);
  ::fcntl(fds[0], F_SETFL, O_NONBLOCK);
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

// A duplicate above the numbers that the child's file actions assign, so that none overwrites another.
UniqueFd lift(int fd) {
  UniqueFd lifted(::fcntl(fd, F_DUPFD_CLOEXEC, 16));
  if (!lifted) throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno);
  return lifted;
}

// posix_spawn's plan for a child's descriptors and signals.
class SpawnPlan {
 public:
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

RankProcess::RankProcess(int rank, int cells_fd) : rank_(rank), reader_(-1), output_(UniqueFd()) {
  Pair socket = make_socket_pair();
  Pair pipe = make_output_pipe();
  const UniqueFd child_socket = lift(socket.theirs.get());
  const UniqueFd child_cells = lift(cells_fd);
  const UniqueFd child_output = lift(pipe.theirs.get());

  SpawnPlan plan;
  ::posix_spawn_file_actions_addopen(&plan.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&plan.actions, child_output.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&plan.actions, child_output.get(), STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&plan.actions, child_socket.get(), RankArguments::kSocketFd);
  ::posix_spawn_file_actions_adddup2(&plan.actions, child_cells.get(), RankArguments::kCellsFd);

  std::string program = "ringside";
  std::string word(RankArguments::kWord);
  std::string number = fmt::format("{}", rank);
  std::string parent = fmt::format("{}", ::getpid());
  char* const argv[] = {program.data(), word.data(), number.data(), parent.data(), nullptr};
  const int error = ::posix_spawn(&pid_, "/proc/self/exe", &plan.actions, &plan.attributes, argv, environ);
  if (error != 0) throw SystemError(fmt::format("starting rank {}", rank), error);

  socket_ = std::move(socket.ours);
  reader_ = MessageReader(socket_.get());
  output_ = OutputTail(std::move(pipe.ours));
}

RankProcess::~RankProcess() {
  kill();
  wait(std::chrono::seconds(10));
}

void RankProcess::send(MessageType type, std::string_view body, std::span<const int> fds,
                       std::chrono::steady_clock::time_point deadline) {
  send_message(socket_.get(), type, body, fds, deadline);
}

std::optional<std::string> RankProcess::ended() {
  if (!status_) {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    status_ = status;
  }
  if (WIFSIGNALED(*status_)) {
    const int signal = WTERMSIG(*status_);
    return fmt::format("was killed by signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(*status_));
}

bool RankProcess::killed() const {
  return status_ && WIFSIGNALED(*status_);
}

char RankProcess::state() const {
  std::ifstream file(fmt::format("/proc/{}/stat", pid_));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
}

void RankProcess::kill() {
  if (!status_) ::kill(pid_, SIGKILL);
}

bool RankProcess::wait(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  auto pause = std::chrono::microseconds(50);
  while (!ended()) {
    output_.drain();
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
  output_.drain();
  return true;
}

}  // namespace ringside
