#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.hpp"
#include "base/subprocess.hpp"
#include "protocol/message.hpp"

namespace ringside {

// One rank process as its coordinator holds it: pid, socket, the end of what it prints. The destructor ends
// it with SIGKILL.
class RankProcess {
 public:
  static constexpr std::size_t kKeep = 64 * 1024;  // bytes of its output

  // Starts this program again (by exec, from /proc/self/exe) as rank `rank`, in a process group of its own,
  // so that a terminal's Ctrl-C reaches the coordinator alone. stdin is /dev/null; stdout and stderr are one
  // pipe; every descriptor but its own is closed. Its environment is that of this process and `environment`,
  // which comes first. Throws SystemError.
  RankProcess(int rank, int cells_fd,
              const std::vector<std::pair<std::string, std::string>>& environment = {});
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;
  RankProcess(RankProcess&&) = delete;

  int rank() const { return rank_; }
  pid_t pid() const { return process_->pid(); }
  int socket() const { return socket_.get(); }
  MessageReader& reader() { return reader_; }
  DrainedPipe& output() { return process_->output(); }
  void send(MessageType type, std::string_view body, std::span<const int> fds,
            std::chrono::steady_clock::time_point deadline);

  // "was killed by signal 9 (Killed)", "exited with status 3"; nothing while it runs.
  std::optional<std::string> ended();

  // Whether a signal has ended it.
  bool killed();

  // The kernel's word for what the process is doing: 'R', 'S', 'D', 'T' (stopped), ...; '?' when it can't be
  // read.
  char state() const;

  void kill() { process_->kill(); }  // SIGKILL, without waiting
  // Drains what it prints meanwhile; true: it has ended and is reaped.
  bool wait(std::chrono::milliseconds timeout) { return process_->wait(timeout); }

 private:
  int rank_;
  UniqueFd socket_;
  MessageReader reader_;
  std::optional<Subprocess> process_;  // from the end of the constructor on
};

}  // namespace ringside
