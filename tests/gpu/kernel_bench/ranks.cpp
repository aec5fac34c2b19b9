#include "gpu/kernel_bench/ranks.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ringside::bench {
namespace {

void send_fd(int socket, int fd) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  if (sendmsg(socket, &message, 0) != 1) throw std::runtime_error("sendmsg failed");
}

int receive_fd(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || CMSG_FIRSTHDR(&message) == nullptr) {
    throw std::runtime_error("recvmsg failed");
  }
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return fd;
}

int guarded(const std::function<int(Ranks&)>& body, Ranks& ranks) {
  try {
    return body(ranks);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), error.what());
    return 1;
  }
}

// What an executed rank is told: its number, the descriptor of the shared page, and those of its sockets.
constexpr const char* kRankVariable = "KERNEL_BENCH_RANK";

SharedPage& map_page(int fd) {
  void* memory = mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
  return *static_cast<SharedPage*>(memory);
}

// Sockets between all of them: [a][b] is a's end.
std::vector<std::vector<int>> connect(int ranks) {
  std::vector<std::vector<int>> sockets(ranks, std::vector<int>(ranks, -1));
  for (int a = 0; a < ranks; ++a) {
    for (int b = a + 1; b < ranks; ++b) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("socketpair failed");
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  return sockets;
}

// By the bare system call: a profiler may have put itself before the C library's.
[[noreturn]] void execute(int rank, int page_fd, const std::vector<int>& sockets, char** argv) {
  std::ostringstream told;
  told << kRankVariable << '=' << rank << ' ' << page_fd;
  for (const int socket : sockets) told << ' ' << socket;
  std::vector<std::string> variables = {told.str()};
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"}) {
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + '=' + value);
  }
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  syscall(SYS_execve, "/proc/self/exe", argv, environment.data());
  std::perror("execve");
  _exit(1);
}

}  // namespace

bool Ranks::run(int ranks, unsigned limit_s, Others others, char** argv,
                const std::function<int(Ranks&)>& body) {
  const auto run_as = [&](int rank, SharedPage& page, const std::vector<int>& sockets) {
    alarm(limit_s);
    Ranks self(rank, ranks, page, sockets);
    const int status = guarded(body, self);
    if (status != 0) page.broken = true;
    std::fflush(nullptr);
    return status;
  };
  if (const char* told = std::getenv(kRankVariable)) {
    std::istringstream numbers(told);
    int rank = 0;
    int page_fd = -1;
    std::vector<int> sockets(ranks, -1);
    numbers >> rank >> page_fd;
    for (int& socket : sockets) numbers >> socket;
    return run_as(rank, map_page(page_fd), sockets) == 0;
  }
  const int page_fd = memfd_create("kernel_bench", 0);
  if (page_fd < 0 || ftruncate(page_fd, sizeof(SharedPage)) != 0) throw std::runtime_error("no memory file");
  auto& page = *new (&map_page(page_fd)) SharedPage;
  const auto sockets = connect(ranks);
  std::fflush(nullptr);
  for (int rank = 1; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (others == Others::executed) execute(rank, page_fd, sockets[rank], argv);
    _exit(run_as(rank, page, sockets[rank]));
  }
  bool good = run_as(0, page, sockets[0]) == 0;
  alarm(0);
  for (int left = ranks - 1; left > 0; --left) {
    int status = 0;
    wait(&status);
    if (status == 0) continue;
    page.broken = true;
    good = false;
  }
  for (const auto& row : sockets) {
    for (const int socket : row) {
      if (socket >= 0) close(socket);
    }
  }
  close(page_fd);
  munmap(&page, sizeof(SharedPage));
  return good;
}

void Ranks::barrier() {
  const int generation = page_.generation;
  if (++page_.arrived == size_) {
    page_.arrived = 0;
    ++page_.generation;
    return;
  }
  while (page_.generation == generation) {
    if (page_.broken) throw std::runtime_error("another rank has left");
    sched_yield();
  }
}

double Ranks::max(double mine) {
  page_.values[rank_] = mine;
  barrier();
  double most = page_.values[0];
  for (int r = 1; r < size_; ++r) most = page_.values[r] > most ? page_.values[r] : most;
  barrier();
  return most;
}

std::vector<int> Ranks::exchange_fd(int mine) {
  std::vector<int> all(size_);
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != rank_) send_fd(sockets_[peer], mine);
  }
  for (int peer = 0; peer < size_; ++peer) all[peer] = peer == rank_ ? dup(mine) : receive_fd(sockets_[peer]);
  return all;
}

}  // namespace ringside::bench
