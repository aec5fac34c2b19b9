#include "launch/rank_process.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "base/errors.hpp"
#include "protocol/rank_arguments.hpp"

namespace ringside {

namespace {

// "NAME=value" strings: those of this process, but for the names that are given.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<std::string> all;
  for (char** own = environ; *own != nullptr; ++own) {
    const std::string_view variable(*own);
    const std::string_view name = variable.substr(0, variable.find('='));
    const bool replaced = std::ranges::any_of(given, [&](const auto& one) { return one.first == name; });
    if (!replaced) all.emplace_back(variable);
  }
  for (const auto& [name, value] : given) all.push_back(name + "=" + value);
  return all;
}

}  // namespace

RankProcess::RankProcess(int rank, int cells_fd,
                         const std::vector<std::pair<std::string, std::string>>& environment)
    : rank_(rank), reader_(-1) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) throw SystemError("socketpair", errno);
  socket_ = UniqueFd(fds[0]);
  const UniqueFd theirs(fds[1]);
  reader_ = MessageReader(socket_.get());

  Program program;
  program.file = "/proc/self/exe";
  program.argv = {"ringside", std::string(RankArguments::kWord), fmt::format("{}", rank),
                  fmt::format("{}", ::getpid())};
  program.descriptors = {{theirs.get(), RankArguments::kSocketFd}, {cells_fd, RankArguments::kCellsFd}};
  if (!environment.empty()) program.environment = environment_with(environment);
  process_.emplace(program, Streams{.together = true, .output = Keep::tail(kKeep)});
  const std::optional<ProcessEnd>& end = process_->end();
  if (end && end->kind == ProcessEnd::Kind::not_started)
    throw SystemError(fmt::format("starting rank {}", rank), end->code);
}

void RankProcess::send(MessageType type, std::string_view body, std::span<const int> fds,
                       std::chrono::steady_clock::time_point deadline) {
  send_message(socket_.get(), type, body, fds, deadline);
}

std::optional<std::string> RankProcess::ended() {
  const std::optional<ProcessEnd>& end = process_->end();
  if (!end) return std::nullopt;
  return describe(*end);
}

bool RankProcess::killed() {
  const std::optional<ProcessEnd>& end = process_->end();
  return end && end->kind == ProcessEnd::Kind::signalled;
}

char RankProcess::state() const {
  std::ifstream file(fmt::format("/proc/{}/stat", pid()));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
}

}  // namespace ringside
