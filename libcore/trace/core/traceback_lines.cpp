#include "trace/core/traceback_lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/text.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxFile = 300, kMaxFunction = 120, kMaxName = 150;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

template <typename Texts>
bool holds_any(std::string_view text, const Texts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

template <typename Texts>
bool begins_with_any(std::string_view text, const Texts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.starts_with(part); });
}

}  // namespace

std::size_t traceback_head(std::string_view text) {
  const std::size_t at = text.find(kTracebackHead);
  if (at == std::string_view::npos) return at;
  const std::string_view behind = trim(text.substr(at + kTracebackHead.size()));
  return behind.empty() || behind == ":" ? at : std::string_view::npos;
}

std::optional<TraceFrame> parse_frame(std::string_view text, int& indent) {
  const std::size_t at = text.find_first_not_of(" |");
  if (at == std::string_view::npos || text.compare(at, kFrameHead.size(), kFrameHead) != 0)
    return std::nullopt;
  const std::size_t start = at + kFrameHead.size(), quote = text.find('"', start);
  if (quote == std::string_view::npos || text.substr(quote, 8) != "\", line ") return std::nullopt;
  TraceFrame frame;
  frame.file = text.substr(start, std::min(quote - start, kMaxFile));
  const std::string_view rest = text.substr(quote + 8);
  const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  if (number.ec != std::errc()) return std::nullopt;
  const std::size_t in = rest.find(" in ");
  if (in != std::string_view::npos) frame.function = trim(rest.substr(in + 4)).substr(0, kMaxFunction);
  indent = static_cast<int>(std::min<std::size_t>(at, 1000));
  return frame;
}

bool is_exception(std::string_view text, bool strict) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  if (end == 0 || end > kMaxName || !std::isalpha(static_cast<unsigned char>(text[0])) ||
      text[end - 1] == '.')
    return false;
  const std::string_view name = text.substr(0, end);
  std::string_view behind = text.substr(end);
  if (behind.starts_with('(')) {  // RayTaskError(ValueError)
    const std::size_t close = behind.find(')');
    if (close == std::string_view::npos || close > 80) return false;
    behind.remove_prefix(close + 1);
  }
  if (!behind.empty() && behind != ":" && !behind.starts_with(": ")) return false;
  const std::size_t dot = name.rfind('.');
  const std::string_view last = name.substr(dot == std::string_view::npos ? 0 : dot + 1);
  static constexpr std::array<std::string_view, 5> kEndings = {"Error", "Exception", "Interrupt", "Exit",
                                                               "Warning"};
  if (std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view e) { return last.ends_with(e); }) ||
      last == "StopIteration")
    return true;
  if (strict) return false;
  static constexpr std::array<std::string_view, 16> kOthers = {
      "INFO",   "WARNING", "WARN",       "ERROR",  "DEBUG", "CRITICAL", "FATAL", "TRACE",
      "Killed", "Aborted", "Terminated", "Hangup", "Note",  "NOTE",     "Usage", "Stack"};
  if (std::find(kOthers.begin(), kOthers.end(), last) != kOthers.end()) return false;
  return dot != std::string_view::npos || std::isupper(static_cast<unsigned char>(last[0])) != 0;
}

bool is_chain_mark(std::string_view text) {
  return text.starts_with("During handling of the above exception") ||
         text.starts_with("The above exception was the direct cause");
}

bool is_foreign(std::string_view text) {
  static constexpr std::array<std::string_view, 24> kBeginnings = {"Killed",
                                                                   "Aborted",
                                                                   "Terminated",
                                                                   "Segmentation fault",
                                                                   "terminate called",
                                                                   "Fatal Python",
                                                                   "Exception ignor",
                                                                   "Process ",
                                                                   "[rank",
                                                                   "*****",
                                                                   "srun:",
                                                                   "slurmstepd:",
                                                                   "mpirun",
                                                                   "prterun",
                                                                   "warnings.warn",
                                                                   "usage:",
                                                                   "INFO",
                                                                   "WARNING",
                                                                   "ERROR",
                                                                   "DEBUG",
                                                                   "[W",
                                                                   "[E",
                                                                   "Current thread ",
                                                                   "Thread 0x"};
  static constexpr std::array<std::string_view, 8> kParts = {
      "%|",    "UserWarning: ",    "FutureWarning: ", "it/s]",
      "s/it]", "Received sigquit", "] NCCL WARN ",    "] NCCL INFO "};
  return begins_with_any(text, kBeginnings) || holds_any(text, kParts);
}

bool says_fatal(std::string_view words) {
  static constexpr std::array<std::string_view, 12> kWords = {"hit an exception",
                                                              "Scheduler",
                                                              "[rank",
                                                              "Process ",
                                                              "dead",
                                                              "failed to start",
                                                              "fatal error",
                                                              "Failed to initialize executor on rank",
                                                              "Error executing",
                                                              "crashed",
                                                              "FATAL",
                                                              "initialization failed"};
  return holds_any(words, kWords);
}

bool says_handled(std::string_view words) {
  static constexpr std::array<std::string_view, 10> kWords = {"Exception in ASGI application",
                                                              "Exception ignored",
                                                              "Task exception was never retrieved",
                                                              "Exception in callback",
                                                              "ignoring",
                                                              "Ignoring",
                                                              "falling back",
                                                              "Falling back",
                                                              "will retry",
                                                              "Error handling request"};
  return holds_any(words, kWords);
}

bool says_failure(std::string_view words) {
  static constexpr std::array<std::string_view, 8> kWords = {"ail",      "rror",   "xception", "ould not",
                                                             "nable to", "annot ", "can't",    "raceback"};
  return holds_any(words, kWords);
}

int indent_of(std::string_view text) {
  const std::size_t at = text.find_first_not_of(' ');
  return at == std::string_view::npos ? 0 : static_cast<int>(std::min<std::size_t>(at, 1000));
}

std::string without_margin(std::string_view text) {
  std::string plain(text);
  const std::size_t at = plain.find_first_not_of(' ');
  if (at == std::string::npos || at < 2 || (plain[at] != '|' && plain[at] != '+')) return plain;
  if (plain.compare(at, 2, "+-") == 0) return "";
  plain[at] = ' ';
  return plain;
}

bool is_quiet(std::string_view level) {
  return !level.empty() && (level[0] == 'W' || level[0] == 'I' || level[0] == 'D' || level[0] == 'V');
}

}  // namespace ringside
