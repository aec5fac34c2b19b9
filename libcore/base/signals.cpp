#include "base/signals.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/exit_code.hpp"

namespace ringside {
namespace {

// What a handler may touch; there is one process, so there is one of each.
volatile std::sig_atomic_t interrupted = 0;

const char* volatile first_notice = nullptr;

// Async-signal-safe; what can't be shown on stderr can't be reported anywhere either.
// A pipe that nobody reads must not hold the handler up.
void tell(const char* text) {
  const int error = errno;
  pollfd place{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&place, 1, 0) == 1 && (place.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  }
  errno = error;
}

extern "C" void on_interrupt(int number) {
  if (interrupted != 0) {
    if (number == SIGHUP) return;
    if (first_notice != nullptr) tell("ringside: ended at once; files hold what was last written to them\n");
    ::_exit(static_cast<int>(ExitCode::interrupted));
  }
  interrupted = 1;
  if (first_notice != nullptr) tell(first_notice);
}

void handle(int signal_number) {
  struct sigaction old {};
  ::sigaction(signal_number, nullptr, &old);
  if (old.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);  // no SA_RESTART: a waiting poll() has to see it
}

}  // namespace

void install_interrupt_handlers(const char* notice) {
  first_notice = notice;
  handle(SIGINT);
  handle(SIGTERM);
  handle(SIGHUP);
}

bool interrupt_requested() noexcept {
  return interrupted != 0;
}

void ignore_signals_of_writing() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void restore_sigchld() {
  std::signal(SIGCHLD, SIG_DFL);
}

}  // namespace ringside
