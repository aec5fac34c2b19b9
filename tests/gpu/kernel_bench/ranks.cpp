#include "gpu/kernel_bench/ranks.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

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

}  // namespace

bool Ranks::run(int ranks, unsigned limit_s, const std::function<int(Ranks&)>& body) {
  void* memory = mmap(nullptr, sizeof(SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
  auto& page = *new (memory) SharedPage;
  std::vector<std::vector<int>> sockets(ranks, std::vector<int>(ranks, -1));
  for (int a = 0; a < ranks; ++a) {
    for (int b = a + 1; b < ranks; ++b) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("socketpair failed");
      sockets[a][b] = pair[0];
      sockets[b][a] = pair[1];
    }
  }
  std::fflush(nullptr);
  const auto run_as = [&](int rank) {
    alarm(limit_s);
    Ranks self(rank, ranks, page, sockets[rank]);
    const int status = guarded(body, self);
    if (status != 0) page.broken = true;
    std::fflush(nullptr);
    return status;
  };
  for (int rank = 1; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child > 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(run_as(rank));
  }
  bool good = run_as(0) == 0;
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
  munmap(memory, sizeof(SharedPage));
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
