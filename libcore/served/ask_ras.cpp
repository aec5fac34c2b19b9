#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "served/nccl_ras.hpp"

namespace ringside {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxAnswer = std::size_t{64} << 20;
// As ncclras sends it. A server that knows no format answers with an error, and with text.
constexpr std::string_view kQuestion = "CLIENT PROTOCOL 2\nTIMEOUT 5\nSET FORMAT json\nVERBOSE STATUS\n";

struct Address {
  std::string host, port;
};

Address parsed(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Address address{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  const bool digits = !address.port.empty() && address.port.size() < 6 &&
                      address.port.find_first_not_of("0123456789") == std::string::npos;
  if (address.host.empty() || !digits)
    throw UsageError(fmt::format("--ras {}: neither a file nor HOST:PORT (NCCL's own port is 28028)", text));
  return address;
}

class Connection {
 public:
  Connection(const std::string& name, std::chrono::seconds timeout)
      : name_(name), deadline_(Clock::now() + timeout) {
    const Address address = parsed(name);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int problem = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found))
      throw EnvironmentError(fmt::format("--ras {}: {}", name, ::gai_strerror(problem)));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
    int why = 0;
    for (const addrinfo* one = found; one && !socket_; one = one->ai_next) {
      UniqueFd socket(
          ::socket(one->ai_family, one->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, one->ai_protocol));
      if (!socket) continue;
      if (::connect(socket.get(), one->ai_addr, one->ai_addrlen) == 0 ||
          (errno == EINPROGRESS && opens(socket, why)))
        socket_ = std::move(socket);
      else if (why == 0)
        why = errno;
    }
    if (!socket_)
      throw EnvironmentError(fmt::format("--ras {}: nobody answers there ({})", name, std::strerror(why)));
  }

  void send(std::string_view text) {
    while (!text.empty()) {
      wait(socket_, POLLOUT);
      const ssize_t sent = ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0 && errno != EAGAIN && errno != EINTR) fail(std::strerror(errno));
    }
  }

  std::string receive() {
    std::string answer;
    std::array<char, 65536> bytes;
    while (true) {
      wait(socket_, POLLIN);
      const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
      if (got == 0) return answer;
      if (got < 0 && errno != EAGAIN && errno != EINTR) fail(std::strerror(errno));
      if (got > 0) answer.append(bytes.data(), static_cast<std::size_t>(got));
      if (answer.size() > kMaxAnswer) fail("the answer is larger than 64 MiB");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw EnvironmentError(fmt::format("--ras {}: {}", name_, why));
  }

  void wait(const UniqueFd& socket, short events) {
    pollfd one{socket.get(), events, 0};
    while (true) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) fail("no answer in time");
      const int ready = ::poll(&one, 1, static_cast<int>(left.count()));
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) fail(std::strerror(errno));
    }
  }

  bool opens(const UniqueFd& socket, int& why) {
    wait(socket, POLLOUT);
    socklen_t size = sizeof why;
    return ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &why, &size) == 0 && why == 0;
  }

  std::string name_;
  Clock::time_point deadline_;
  UniqueFd socket_;
};

}  // namespace

std::string ask_ras(const std::string& address, std::chrono::seconds timeout) {
  Connection connection(address, timeout);
  connection.send(kQuestion);
  const std::string answer = connection.receive();
  if (!looks_like_ras(answer))
    throw EnvironmentError(fmt::format(
        "--ras {}: the answer holds no JSON: NCCL gives it from 2.28 on; 'ncclras -v' shows it as text",
        address));
  return answer;
}

}  // namespace ringside
