#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <string_view>

#include "base/printable.hpp"
#include "base/secrets.hpp"
#include "base/terminal.hpp"
#include "report/progress_line.hpp"

namespace ringside {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

// A message may quote what a file, a log or a command holds.
std::string shown(const std::string& message) {
  Withheld said_in_the_document;
  return printable(mask_text(message, said_in_the_document));
}

// What can't be shown on stderr can't be reported anywhere either.
void print(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

Console::Console(const Clock& clock, Options options, const ToolEnvironment& environment)
    : clock_(clock),
      options_(options),
      animated_(!options.quiet && !options.verbose && may_animate(STDERR_FILENO, environment)),
      start_(clock.now()) {}

void Console::error(const std::string& message) {
  clear_progress();
  print(fmt::format("ringside: {}\n", shown(message)));
}

void Console::note(const std::string& message) {
  if (!options_.quiet) error(message);
}

const char* Console::interrupt_notice() const {
  if (options_.quiet) return nullptr;
  // The first one goes on below the progress line.
  return animated_ ? "\nringside: stopping after this turn, finished rows are kept; once more ends at once\n"
                   : "ringside: stopping after this turn, finished rows are kept; once more ends at once\n";
}

void Console::log(const std::string& message) {
  if (!options_.verbose) return;
  const double seconds = std::chrono::duration<double>(clock_.now() - start_).count();
  print(fmt::format("[{:7.2f} s] {}\n", seconds, shown(message)));
}

void Console::progress(const SweepProgress& progress) {
  if (!animated_) return;
  const TimePoint now = clock_.now();
  if (last_progress_ && now - *last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  progress_visible_ = true;
  const std::string text =
      fmt::format("launch {}/{}  {}", progress.launch + 1, progress.launches, progress.current);
  // The last column stays free: behind it some terminals go on to the next line.
  const auto width = static_cast<std::size_t>(terminal_width(STDERR_FILENO) - 1);
  print(fmt::format("{}{}", kClearLine, progress_line(text, progress.done, progress.left, width)));
}

void Console::clear_progress() noexcept {
  if (progress_visible_) print(kClearLine);
  progress_visible_ = false;
}

}  // namespace ringside
