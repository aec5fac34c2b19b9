#include "base/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/text.hpp"

namespace ringside {

ColorChoice parse_color_choice(std::string_view text) {
  if (text == "auto") return ColorChoice::automatic;
  if (text == "always") return ColorChoice::always;
  if (text == "never") return ColorChoice::never;
  const std::vector<std::string> names = {"auto", "always", "never"};
  throw UsageError(
      fmt::format("unknown choice '{}'{}; valid: {}", text, did_you_mean(text, names), join(names, ", ")));
}

bool is_terminal(int fd) {
  return ::isatty(fd) == 1;
}

int terminal_width(int fd, int fallback) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return fallback;
  return size.ws_col;
}

bool use_color(ColorChoice choice, int fd, const ToolEnvironment& environment) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  return is_terminal(fd) && !environment.dumb_terminal && !environment.no_color && !environment.ci;
}

bool may_animate(int fd, const ToolEnvironment& environment) {
  return is_terminal(fd) && !environment.dumb_terminal && !environment.ci;
}

}  // namespace ringside
