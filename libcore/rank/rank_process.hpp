#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "rank/message.hpp"
#include "rank/output_tail.hpp"

namespace ringside {

// One rank process as its coordinator holds it: pid, socket, what it prints. The destructor ends it with
// SIGKILL.
class RankProcess {
 public:
  // Starts this program again (by exec, from /proc/self/exe) as rank `rank`, in a process group of its own,
  // so that a terminal's Ctrl-C reaches the coordinator alone. stdin is /dev/null; stdout and stderr are
  // pipes; every descriptor but its own is closed. Throws SystemError.
  RankProcess(int rank, int cells_fd);
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;
  RankProcess(RankProcess&&) = delete;
  ~RankProcess();

  int rank() const { return rank_; }
  pid_t pid() const { return pid_; }
  int socket() const { return socket_.get(); }
  MessageReader& reader() { return reader_; }
  OutputTail& output() { return output_; }
  void send(MessageType type, std::string_view body, std::span<const int> fds,
            std::chrono::steady_clock::time_point deadline);

  // "was killed by signal 9 (Killed)", "exited with status 3"; nothing while it runs.
  std::optional<std::string> ended();

  // Whether a signal ended it, as far as ended() has seen.
  bool killed() const;

  // The kernel's word for what the process is doing: 'R', 'S', 'D', 'T' (stopped), ...; '?' when it can't be
  // read.
  char state() const;

  void kill();                                   // SIGKILL, without waiting
  bool wait(std::chrono::milliseconds timeout);  // true: it has ended and is reaped

 private:
  int rank_;
  pid_t pid_ = -1;
  UniqueFd socket_;
  MessageReader reader_;
  OutputTail output_;
  std::optional<int> status_;
};

}  // namespace ringside
