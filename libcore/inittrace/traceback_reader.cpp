#include "inittrace/traceback_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/text.hpp"
#include "inittrace/log_line.hpp"

namespace ringside {

namespace {

constexpr std::string_view kTraceback = "Traceback (most recent call last)";
constexpr std::string_view kFrame = "File \"";
constexpr std::size_t kMaxOpen = 256;
constexpr std::size_t kMaxDone = 4096;
constexpr std::size_t kMaxFrames = 400;
constexpr int kMaxLines = 4000;  // of one traceback, with what others print in between
constexpr std::size_t kMaxMessage = 2000;
constexpr std::size_t kMaxPrefix = 200;

// `File "path", line N, in function` at `at`.
std::optional<TraceFrame> parse_frame(std::string_view line, std::size_t at) {
  const std::size_t start = at + kFrame.size(), quote = line.find('"', start);
  if (quote == std::string_view::npos || line.substr(quote, 8) != "\", line ") return std::nullopt;
  TraceFrame frame;
  frame.file = line.substr(start, quote - start);
  const std::string_view rest = line.substr(quote + 8);
  const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  if (number.ec != std::errc()) return std::nullopt;
  const std::size_t in = rest.find(", in ");
  if (in != std::string_view::npos) frame.function = trim(rest.substr(in + 5));
  return frame;
}

// "AssertionError", "torch.OutOfMemoryError: CUDA ...": the last line of a traceback.
bool is_exception(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '.'))
    ++end;
  if (end == 0 || !std::isalpha(static_cast<unsigned char>(text[0]))) return false;
  if (end != text.size() && text.substr(end, 2) != ": " && text.substr(end) != ":") return false;
  const std::size_t dot = text.substr(0, end).rfind('.');
  const std::string_view name = text.substr(0, end).substr(dot == std::string_view::npos ? 0 : dot + 1);
  if (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Interrupt") ||
      name.ends_with("Exit") || name.ends_with("Warning") || name == "StopIteration")
    return true;
  return false;
}

bool same(const TraceFrame& a, const TraceFrame& b) {
  return a.file == b.file && a.line == b.line && a.function == b.function;
}

// What stands before the text of a line that some tool or rank put a prefix to: "[rank3]: ", "server-1  | ".
std::string_view content_of(std::string_view line, std::size_t& prefix) {
  prefix = 0;
  if (line.starts_with("[rank")) {
    const std::size_t end = line.find("]:");
    if (end != std::string_view::npos) prefix = end + 2 + (line.substr(end + 2, 1) == " " ? 1 : 0);
  } else if (const std::size_t bar = line.find(" | "); bar != std::string_view::npos && bar < 40) {
    prefix = bar + 3;
  } else if (line.starts_with('(')) {
    const std::size_t end = line.find(") ");
    if (end != std::string_view::npos && end < 80) prefix = end + 2;
  }
  return line.substr(prefix);
}

bool says_fatal(std::string_view before) {
  for (const std::string_view word : {"hit an exception", "Scheduler", "[rank", "Process ", "dead"})
    if (before.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace

void TracebackReader::feed(const std::string& line, long number) {
  if (const std::size_t at = line.find(kTraceback); at != std::string::npos) {
    begin(line, at, number);
    return;
  }
  if (open_.empty()) return;
  for (std::size_t i = open_.size(); i-- > 0;)
    if (++open_[i].lines > kMaxLines) close(i, true);
  learn_prefix(line);
  std::size_t prefix = 0;
  const std::string_view content = this->content(line, prefix);
  const std::string rank = rank_words(std::string_view(line).substr(0, prefix));
  const std::size_t file = line.find(kFrame);
  if (file != std::string::npos && trim(std::string_view(line).substr(prefix, file - prefix)).empty()) {
    if (auto frame = parse_frame(line, file)) {
      add_frame(rank, std::move(*frame));
      return;
    }
  }
  if (content.starts_with("    ")) {
    const std::string_view source = trim(content);
    if (Open* open = owner_of_source(rank);
        open && source.find_first_not_of("^~ ") != std::string_view::npos) {
      open->traceback.death.frames.back().source = source.substr(0, 200);
      open->expects_source = false;
    }
    return;
  }
  if (is_exception(content)) {
    end_with(rank, content);
    return;
  }
  if (content.starts_with("During handling of the above exception") ||
      content.starts_with("The above exception was the direct cause"))
    chain_next_ = true;
}

// A frame that stands behind the beginning of its traceback's first line: all of that traceback's lines do.
void TracebackReader::learn_prefix(const std::string& line) {
  const std::size_t file = line.find(kFrame);
  if (file == std::string::npos || file < 3 || line.compare(file - 2, 2, "  ") != 0) return;
  const std::string before = without_numbers(std::string_view(line).substr(0, file - 2));
  for (Open& open : open_)
    if (open.prefix.empty() && open.first_line.starts_with(before)) open.prefix = before;
}

std::string_view TracebackReader::content(const std::string& line, std::size_t& prefix) {
  for (const Open& open : open_) {
    if (open.prefix.empty() ||
        without_numbers(std::string_view(line).substr(0, open.prefix.size())) != open.prefix)
      continue;
    prefix = open.prefix.size();
    return std::string_view(line).substr(prefix);
  }
  return content_of(line, prefix);
}

void TracebackReader::begin(const std::string& line, std::size_t at, long number) {
  if (open_.size() >= kMaxOpen) close(0, true);
  Open open;
  const std::string_view before = std::string_view(line).substr(0, at);
  open.traceback.rank = rank_words(before);
  open.traceback.fatal = says_fatal(before);
  open.traceback.chained = std::exchange(chain_next_, false);
  open.traceback.line = number;
  open.first_line = without_numbers(before.substr(0, kMaxPrefix));
  if (open.traceback.chained && !done_.empty()) {
    open.traceback.rank = done_.back().rank;
    open.traceback.fatal = open.traceback.fatal || done_.back().fatal;
  }
  open_.push_back(std::move(open));
}

// Ranks that print at once print the same lines: a frame that a traceback ends in already belongs to the next
// one.
void TracebackReader::add_frame(const std::string& rank, TraceFrame frame) {
  Open* chosen = nullptr;
  for (Open& open : open_) {
    if (!ranks_agree(rank, open.traceback.rank)) continue;
    const auto& frames = open.traceback.death.frames;
    if (!frames.empty() && same(frames.back(), frame) && &open != &open_.back()) continue;
    chosen = &open;
    break;
  }
  if (!chosen || chosen->traceback.death.frames.size() >= kMaxFrames) return;
  for (Open& open : open_) open.expects_source = &open == chosen;
  chosen->traceback.death.frames.push_back(std::move(frame));
}

TracebackReader::Open* TracebackReader::owner_of_source(const std::string& rank) {
  for (Open& open : open_)
    if (open.expects_source && ranks_agree(rank, open.traceback.rank)) return &open;
  return nullptr;
}

bool TracebackReader::end_with(const std::string& rank, std::string_view text) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    LoggedTraceback& traceback = open_[i].traceback;
    if (!ranks_agree(rank, traceback.rank)) continue;
    const std::size_t colon = text.find(": ");
    traceback.death.error = text.substr(0, std::min(colon, text.find(':')));
    if (colon != std::string_view::npos)
      traceback.death.message = trim(text.substr(colon + 2)).substr(0, kMaxMessage);
    close(i, false);
    return true;
  }
  return false;
}

void TracebackReader::close(std::size_t index, bool truncated) {
  LoggedTraceback traceback = std::move(open_[index].traceback);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
  traceback.truncated = truncated;
  if (done_.size() < kMaxDone) done_.push_back(std::move(traceback));
}

void TracebackReader::finish() {
  while (!open_.empty()) close(0, true);
}

}  // namespace ringside
