#include "base/signals.hpp"

#include <unistd.h>

#include <csignal>

#include "base/exit_code.hpp"

namespace ringside {
namespace {

// The one thing that a handler may touch; there is one process, so there is one flag.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void on_interrupt(int) {
  if (interrupted != 0) ::_exit(static_cast<int>(ExitCode::interrupted));
  interrupted = 1;
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

void install_interrupt_handlers() {
  handle(SIGINT);
  handle(SIGTERM);
}

bool interrupt_requested() noexcept {
  return interrupted != 0;
}

void ignore_sigpipe() {
  std::signal(SIGPIPE, SIG_IGN);
}

void restore_sigchld() {
  std::signal(SIGCHLD, SIG_DFL);
}

}  // namespace ringside
