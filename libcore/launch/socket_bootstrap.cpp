#include "launch/socket_bootstrap.hpp"

#include "base/errors.hpp"

namespace ringside {

Message SocketBootstrap::answer(MessageType type) {
  Message message = *reader_.next(true);
  if (message.type != type) throw InternalError("the coordinator answered a gather with something else");
  return message;
}

std::vector<std::string> SocketBootstrap::all_gather(std::string_view mine) {
  const PhaseScope scope(cell_, Phase::connecting);
  send_message(socket_, MessageType::gather, mine);
  return unpack(answer(MessageType::gather).body);
}

std::vector<UniqueFd> SocketBootstrap::all_gather_fd(int mine) {
  const PhaseScope scope(cell_, Phase::connecting);
  const int fds[] = {mine};
  send_message(socket_, MessageType::gather_fd, {}, fds);
  return answer(MessageType::gather_fd).fds;
}

}  // namespace ringside
