#include "launch/rank_main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <string_view>

#include "base/errors.hpp"
#include "base/nvtx.hpp"
#include "device/make_device.hpp"
#include "launch/socket_bootstrap.hpp"
#include "protocol/group_settings.hpp"
#include "protocol/message.hpp"
#include "protocol/rank_arguments.hpp"

namespace ringside {
namespace {

int parse_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UsageError("__rank is started by ringside itself");
  return value;
}

RankArguments parse_arguments(int argc, char** argv) {
  if (argc != 4) throw UsageError("__rank is started by ringside itself");
  return {parse_number(argv[2]), static_cast<pid_t>(parse_number(argv[3]))};
}

// No orphans: the kernel kills this process when its coordinator dies, also if that happened before the call.
bool die_with(pid_t parent) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

void keep_from_children(int fd) {
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
}

class RankLoop {
 public:
  RankLoop(int socket, ProgressCell& cell, int rank)
      : socket_(socket), cell_(cell), rank_(rank), reader_(socket) {}

  void run(const SessionFactory& make_session) {
    while (auto message = reader_.next(true)) {
      if (message->type == MessageType::quit) break;
      MessageType type = MessageType::reply;
      std::string answer;
      try {
        answer = serve(*message, make_session);
      } catch (const Error& error) {
        type = error.ends_process() ? MessageType::fatal : MessageType::error;
        answer = error.what();
      } catch (const std::exception& error) {
        type = MessageType::error;
        answer = error.what();
      }
      send_message(socket_, type, answer);
    }
    const PhaseScope scope(cell_, Phase::releasing);
    session_.reset();
    // The driver takes back what a process held on its GPU in a fraction of the time that it takes to give
    // back NCCL's communicators one by one.
    if (device_ != nullptr && device_->kind() == DeviceKind::cuda) leave();
    device_.reset();
  }

 private:
  [[noreturn]] static void leave() {
    std::fflush(nullptr);
    ::_exit(0);
  }

  std::string serve(const Message& message, const SessionFactory& make_session) {
    if (message.type == MessageType::request) return session_->handle(message.body);
    if (message.type != MessageType::settings) throw InternalError("a message that a rank can't use");
    start(settings_from_json(message.body), make_session);
    return "{}";
  }

  void start(const GroupSettings& settings, const SessionFactory& make_session) {
    name_thread_for_nvtx(fmt::format("rank {}", rank_));
    {
      const NvtxRange rendezvous(names_["rendezvous"]);
      bootstrap_ = std::make_unique<SocketBootstrap>(socket_, reader_, cell_, rank_, settings.ranks);
      bootstrap_->barrier();
    }
    const NvtxRange setup(names_["setup"]);
    device_ = make_device(settings.device, *bootstrap_);
    session_ = make_session(*device_, cell_);
    cell_.phase.store(Phase::idle);
  }

  int socket_;
  ProgressCell& cell_;
  int rank_;
  MessageReader reader_;
  NvtxNames names_;
  std::unique_ptr<Bootstrap> bootstrap_;
  std::unique_ptr<RankDevice> device_;
  std::unique_ptr<Session> session_;
};

}  // namespace

int rank_main(int argc, char** argv, const SessionFactory& make_session) {
  const RankArguments arguments = parse_arguments(argc, argv);
  if (!die_with(arguments.parent)) return static_cast<int>(ExitCode::hang);
  ::signal(SIGINT, SIG_IGN);  // the coordinator alone decides
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  ::setvbuf(stdout, nullptr, _IOLBF, 0);
  const UniqueFd socket(RankArguments::kSocketFd);
  keep_from_children(RankArguments::kSocketFd);
  keep_from_children(RankArguments::kCellsFd);
  const ProgressCells cells(UniqueFd(RankArguments::kCellsFd), arguments.rank + 1);
  try {
    RankLoop(socket.get(), cells[arguments.rank], arguments.rank).run(make_session);
  } catch (const SystemError& error) {
    std::fprintf(stderr, "rank %d: %s\n", arguments.rank, error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}

}  // namespace ringside
