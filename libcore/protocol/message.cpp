#include "protocol/message.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"

namespace ringside {
namespace {

struct Header {
  std::uint32_t type;
  std::uint32_t bytes;
  std::uint32_t fds;
};

// SCM_MAX_FD is 253; a gather carries one descriptor a rank.
constexpr std::size_t kMaxFds = 64;

void wait_writable(int socket, std::optional<std::chrono::steady_clock::time_point> deadline) {
  int timeout_ms = -1;
  if (deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
    timeout_ms = static_cast<int>(std::max<std::int64_t>(0, left.count()));
  }
  pollfd entry{socket, POLLOUT, 0};
  const int ready = ::poll(&entry, 1, timeout_ms);
  if (ready == 0) throw TimeoutError("a rank takes no messages");
  if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
}

}  // namespace

void send_message(int socket, MessageType type, std::string_view body, std::span<const int> fds,
                  std::optional<std::chrono::steady_clock::time_point> deadline) {
  if (fds.size() > kMaxFds) throw InternalError("too many descriptors in one message");
  const Header header{static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(body.size()),
                      static_cast<std::uint32_t>(fds.size())};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += body;

  std::size_t sent = 0;
  while (sent < bytes.size()) {
    iovec piece{bytes.data() + sent, bytes.size() - sent};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)] = {};
    if (sent == 0 && !fds.empty()) {  // descriptors travel with the first byte
      message.msg_control = control;
      message.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
      cmsghdr* head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = SOL_SOCKET;
      head->cmsg_type = SCM_RIGHTS;
      head->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
      std::memcpy(CMSG_DATA(head), fds.data(), sizeof(int) * fds.size());
    }
    const ssize_t count = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      wait_writable(socket, deadline);
    } else if (errno != EINTR) {
      throw SystemError("sendmsg between coordinator and rank", errno);
    }
  }
}

bool MessageReader::receive(bool wait) {
  char bytes[16384];
  iovec piece{bytes, sizeof bytes};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMaxFds)];
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t count = ::recvmsg(socket_, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  if (count < 0) {
    if (errno == EAGAIN) return false;
    if (errno == EINTR) return wait;
    throw SystemError("recvmsg between coordinator and rank", errno);
  }
  if (count == 0) throw SystemError("the other side of the rank's socket", ECONNRESET);
  buffer_.append(bytes, static_cast<std::size_t>(count));
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t fds = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < fds; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
      fds_.emplace_back(fd);
    }
  }
  return true;
}

std::optional<Message> MessageReader::take() {
  Header header{};
  if (buffer_.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, buffer_.data(), sizeof header);
  if (buffer_.size() < sizeof header + header.bytes) return std::nullopt;
  if (fds_.size() < header.fds)
    throw InternalError("a message between coordinator and rank lost its descriptors");
  Message message;
  message.type = static_cast<MessageType>(header.type);
  message.body = buffer_.substr(sizeof header, header.bytes);
  buffer_.erase(0, sizeof header + header.bytes);
  const auto last = fds_.begin() + static_cast<std::ptrdiff_t>(header.fds);
  std::move(fds_.begin(), last, std::back_inserter(message.fds));
  fds_.erase(fds_.begin(), last);
  return message;
}

std::optional<Message> MessageReader::next(bool wait) {
  for (;;) {
    if (auto message = take()) return message;
    if (!receive(wait)) return std::nullopt;
  }
}

std::string pack(std::span<const std::string> parts) {
  std::string body;
  for (const std::string& part : parts) {
    const auto bytes = static_cast<std::uint32_t>(part.size());
    body.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    body += part;
  }
  return body;
}

std::vector<std::string> unpack(std::string_view body) {
  std::vector<std::string> parts;
  while (!body.empty()) {
    std::uint32_t bytes = 0;
    if (body.size() < sizeof bytes) throw InternalError("a gathered message is cut off");
    std::memcpy(&bytes, body.data(), sizeof bytes);
    body.remove_prefix(sizeof bytes);
    if (body.size() < bytes) throw InternalError("a gathered message is cut off");
    parts.emplace_back(body.substr(0, bytes));
    body.remove_prefix(bytes);
  }
  return parts;
}

}  // namespace ringside
