#include "protocol/message.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/errors.hpp"
#include "support/catch.hpp"

using namespace ringside;

namespace {

struct SocketPair {
  SocketPair() {
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) == 0);
    a = UniqueFd(fds[0]);
    b = UniqueFd(fds[1]);
  }
  UniqueFd a;
  UniqueFd b;
};

}  // namespace

TEST_CASE("a message arrives whole, whatever the socket cuts it into") {
  SocketPair sockets;
  const std::string body(3'000'000, 'x');
  std::thread sender([&] { send_message(sockets.a.get(), MessageType::reply, body); });
  MessageReader reader(sockets.b.get());
  const auto message = reader.next(true);
  sender.join();
  CHECK(message->type == MessageType::reply);
  CHECK(message->body == body);
}

TEST_CASE("descriptors travel with their message") {
  SocketPair sockets;
  int pipe_fds[2];
  REQUIRE(::pipe(pipe_fds) == 0);
  const UniqueFd read_end(pipe_fds[0]);
  UniqueFd write_end(pipe_fds[1]);
  const int sent[] = {write_end.get()};
  send_message(sockets.a.get(), MessageType::gather, "first");
  send_message(sockets.a.get(), MessageType::gather_fd, "second", sent);
  write_end.reset();

  MessageReader reader(sockets.b.get());
  CHECK(reader.next(true)->fds.empty());
  auto second = reader.next(true);
  REQUIRE(second->fds.size() == 1);
  CHECK((::fcntl(second->fds[0].get(), F_GETFD) & FD_CLOEXEC) != 0);
  CHECK(::write(second->fds[0].get(), "!", 1) == 1);
  char byte = 0;
  CHECK(::read(read_end.get(), &byte, 1) == 1);
}

TEST_CASE("a reader says when nothing is there and when the other side has gone") {
  SocketPair sockets;
  MessageReader reader(sockets.b.get());
  CHECK_FALSE(reader.next(false));
  sockets.a.reset();
  CHECK_THROWS_AS(reader.next(false), SystemError);
}

TEST_CASE("a sender gives up at its deadline when nobody reads") {
  SocketPair sockets;
  const std::string body(10'000'000, 'x');
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  CHECK_THROWS_AS(send_message(sockets.a.get(), MessageType::request, body, {}, deadline), TimeoutError);
}

TEST_CASE("packed parts come back as they were") {
  const std::vector<std::string> parts = {"", "a", std::string("\0b", 2), std::string(1000, 'c')};
  CHECK(unpack(pack(parts)) == parts);
  CHECK_THROWS_AS(unpack("abc"), InternalError);
}
