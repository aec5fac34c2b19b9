#include "trace/core/traceback_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/text.hpp"
#include "served/log_line.hpp"

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
constexpr std::size_t kCompared =
    16;  // tracebacks, open ones and finished ones, that others are compared with
constexpr std::size_t kCandidates = 64;  // open ones that a line may belong to, the newest

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
  if (open_.empty() && !begin_without_head(line, number)) return;
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

// A log that begins inside a traceback, such as the last lines of another: what it ended in is still there.
bool TracebackReader::begin_without_head(const std::string& line, long number) {
  std::size_t prefix = 0;
  content_of(line, prefix);
  const std::size_t file = line.find(kFrame);
  if (file == std::string::npos || !trim(std::string_view(line).substr(prefix, file - prefix)).empty())
    return false;
  const auto frame = parse_frame(line, file);
  if (!frame || frame->function.empty()) return false;
  Open open;
  open.traceback.line = number;
  open.headless = true;
  open_.push_back(std::move(open));
  return true;
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
  current_ = number;
  open_.push_back(std::move(open));
}

// Whether other tracebacks, which ranks print of the same code, have something behind a frame (null: before
// the first one): 2 when it is `next` (null: the end), 1 when nothing is known, 0 when it is something else.
int TracebackReader::likely(const Open& open, const TraceFrame* next) const {
  const auto& frames = open.traceback.death.frames;
  bool known = false;
  const auto fits = [&](const std::vector<TraceFrame>& others, bool ended) {
    for (std::size_t i = 0; i <= others.size(); ++i) {
      const bool same_place = frames.empty() ? i == 0 : i > 0 && same(others[i - 1], frames.back());
      if (!same_place || (i == others.size() && !ended)) continue;
      known = true;
      if (i == others.size() ? !next : next && same(others[i], *next)) return true;
    }
    return false;
  };
  for (std::size_t i = open_.size() - std::min(open_.size(), kCompared); i < open_.size(); ++i) {
    const Open& other = open_[i];
    if (&other == &open || (other.headless && frames.empty()))
      continue;  // its first frame is none of the first
    if (fits(other.traceback.death.frames, false)) return 2;
  }
  for (std::size_t i = done_.size() - std::min(done_.size(), kCompared); i < done_.size(); ++i)
    if (fits(done_[i].death.frames, !done_[i].truncated)) return 2;
  return known ? 0 : 1;
}

// The traceback that a frame (null: the exception) continues: of those that it fits best, the one that the
// line before belonged to.
TracebackReader::Open* TracebackReader::continued_by(const std::string& rank, const TraceFrame* next) {
  Open* chosen = nullptr;
  constexpr int kUnfit = -1;  // a stack without a head takes only what others show to be its own, or nobody's
  int best = kUnfit - 1;
  for (std::size_t i = open_.size() - std::min(open_.size(), kCandidates); i < open_.size(); ++i) {
    Open& open = open_[i];
    if (!ranks_agree(rank, open.traceback.rank)) continue;
    const int fit = open_.size() == 1 ? 0 : likely(open, next);
    const int score = open.headless && fit < 2 ? kUnfit : 2 * fit + (open.traceback.line == current_ ? 1 : 0);
    if (score <= best) continue;
    best = score;
    chosen = &open;
  }
  if (chosen) current_ = chosen->traceback.line;
  return chosen;
}

void TracebackReader::add_frame(const std::string& rank, TraceFrame frame) {
  Open* chosen = continued_by(rank, &frame);
  if (!chosen || chosen->traceback.death.frames.size() >= kMaxFrames) return;
  for (Open& open : open_) open.expects_source = &open == chosen;
  chosen->traceback.death.frames.push_back(std::move(frame));
}

TracebackReader::Open* TracebackReader::owner_of_source(const std::string& rank) {
  for (Open& open : open_)
    if (open.expects_source && ranks_agree(rank, open.traceback.rank)) return &open;
  return nullptr;
}

void TracebackReader::end_with(const std::string& rank, std::string_view text) {
  Open* chosen = continued_by(rank, nullptr);
  if (!chosen) return;
  TraceDeath& death = chosen->traceback.death;
  const std::size_t colon = text.find(": ");
  death.error = text.substr(0, std::min(colon, text.find(':')));
  if (colon != std::string_view::npos) death.message = trim(text.substr(colon + 2)).substr(0, kMaxMessage);
  close(static_cast<std::size_t>(
            std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return &open == chosen; }) -
            open_.begin()),
        false);
}

void TracebackReader::close(std::size_t index, bool truncated) {
  LoggedTraceback traceback = std::move(open_[index].traceback);
  const bool worthless = open_[index].headless && truncated;
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
  traceback.truncated = truncated;
  if (!worthless) add(std::move(traceback));
}

void TracebackReader::add(LoggedTraceback death) {
  if (done_.size() < kMaxDone) done_.push_back(std::move(death));
}

void TracebackReader::finish() {
  while (!open_.empty()) close(0, true);
}

}  // namespace ringside
