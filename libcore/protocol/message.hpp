#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"

namespace ringside {

// What coordinator and rank say to each other over their socket pair.
enum class MessageType : std::uint32_t {
  settings = 1,  // coordinator: GroupSettings as JSON; the rank answers with reply when its device stands
  request,       // coordinator: one JSON text for the session
  reply,         // rank: the session's answer, a JSON text
  error,         // rank: what went wrong, one line
  fatal,         // rank: the same, and it can't go on: a fresh group is needed
  gather,        // both ways: Bootstrap::all_gather
  gather_fd,     // both ways: Bootstrap::all_gather_fd; descriptors travel beside
  quit           // coordinator: end in order
};

struct Message {
  MessageType type = MessageType::quit;
  std::string body;
  std::vector<UniqueFd> fds;
};

// Writes one message; waits while the socket is full. Throws SystemError, with EPIPE when the other side is
// gone, and TimeoutError when it takes nothing until `deadline` (none: for ever).
void send_message(int socket, MessageType type, std::string_view body, std::span<const int> fds = {},
                  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt);

// Reads messages from one socket, in pieces as they come.
class MessageReader {
 public:
  explicit MessageReader(int socket) : socket_(socket) {}

  // The next whole message, or nothing when no more has arrived (socket non-blocking or wait = false). With
  // wait = true it blocks. Throws SystemError with ECONNRESET when the other side has closed.
  std::optional<Message> next(bool wait);

 private:
  bool receive(bool wait);  // false: nothing there
  std::optional<Message> take();

  int socket_;
  std::string buffer_;
  std::vector<UniqueFd> fds_;
};

// Several byte strings in one body, and back.
std::string pack(std::span<const std::string> parts);
std::vector<std::string> unpack(std::string_view body);

}  // namespace ringside
