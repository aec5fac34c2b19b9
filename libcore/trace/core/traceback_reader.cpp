#include "trace/core/traceback_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "served/log_line.hpp"
#include "trace/core/traceback_lines.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxOpen = 256;
constexpr std::size_t kMaxDone = 48, kFirstDone = 32;
constexpr std::size_t kFirstFrames = 24, kLastFrames = 24;
constexpr std::size_t kMaxLinks = 6;
constexpr int kMaxLines = 4000;        // of one traceback, with what others print in between
constexpr int kMaxMessageLines = 100;  // with what others print in between
constexpr int kMaxBlank = 1;           // empty lines in a message
constexpr std::size_t kMaxMessage = 4000, kMaxSource = 200, kMaxPrefix = 200;
constexpr std::size_t kCompared = 16;    // tracebacks, open and finished ones, that others are compared with
constexpr std::size_t kCandidates = 64;  // open ones that a line may belong to, the newest
constexpr std::size_t kMaxRanks = 4096;
constexpr std::size_t kLinesBefore = 6;

bool same(const TraceFrame& a, const TraceFrame& b) {
  return a.file == b.file && a.line == b.line && a.function == b.function;
}

bool same_end(const TraceDeath& a, const TraceDeath& b) {
  if (a.error != b.error || a.frames.empty() != b.frames.empty()) return false;
  return a.frames.empty() || same(a.frames.back(), b.frames.back());
}

bool same_end(const LoggedTraceback& a, const LoggedTraceback& b) {
  if (a.links.size() != b.links.size() || a.fatal != b.fatal || a.truncated || b.truncated) return false;
  for (std::size_t i = 0; i < a.links.size(); ++i)
    if (!same_end(a.links[i], b.links[i])) return false;
  return true;
}

// TensorRT-LLM names the rank some lines before: "Failed to initialize executor on rank 3: ...".
void learn_rank(LogProcess& process, const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines)
    if (line.text.find("executor on rank ") != std::string::npos) learn_role(process, line.text);
}

}  // namespace

bool TracebackReader::feed(const LogText& line, long number, const LinesBefore& before) {
  const std::string writer = line.writer();
  const std::string text = open_.empty() ? line.text : without_margin(line.text);
  if (const std::size_t at = traceback_head(text); at != std::string::npos) {
    begin(line, writer, at, number, before);
    return true;
  }
  if (!open_.empty()) end_messages(writer, line);
  for (std::size_t i = open_.size(); i-- > 0;)
    if (++open_[i].lines > (open_[i].in_message ? kMaxMessageLines : kMaxLines))
      close(i, !open_[i].in_message);
  learn_prefix(text, writer);
  const std::string_view content = without_prefix(text, writer);
  int indent = 0;
  if (content.find(kFrameHead) != std::string_view::npos)
    if (auto frame = parse_frame(content, indent))
      return add_frame(line, writer, std::move(*frame), indent - 2, number);
  if (open_.empty()) return false;
  if (Open* open = owner_of_source(writer, line.rank); open && indent_of(content) > open->indent) {
    const std::string_view source = trim(content);
    if (source.find_first_not_of("^~ ") != std::string_view::npos) {
      open->death().frames.back().source = source.substr(0, kMaxSource);
      open->expects_source = false;
    }
    return true;
  }
  if (chain(writer, content)) return true;
  if (!line.head && is_exception(trim(content), false)) {
    if (Open* open = continued_by(line, writer, indent_of(content), nullptr)) {
      const bool strict = open->death().frames.empty();
      if (!strict || is_exception(trim(content), true)) {
        end_with(*open, trim(content), number);
        return true;
      }
    }
  }
  return extend_message(line, writer, content, number);
}

// A frame that stands behind the beginning of its traceback's first line: all of that traceback's lines do.
void TracebackReader::learn_prefix(std::string_view content, const std::string& writer) {
  const std::size_t file = content.find(kFrameHead);
  if (file == std::string_view::npos || file < 3 || content.substr(file - 2, 2) != "  ") return;
  if (trim(content.substr(0, file)).empty()) return;
  const std::string before = without_numbers(content.substr(0, file - 2));
  for (Open& open : open_)
    if (open.prefix.empty() && open.writer == writer && open.first_line.starts_with(before))
      open.prefix = before;
}

std::string_view TracebackReader::without_prefix(std::string_view content, const std::string& writer) const {
  for (const Open& open : open_) {
    if (open.prefix.empty() || open.writer != writer) continue;
    if (without_numbers(content.substr(0, open.prefix.size())) == open.prefix)
      return content.substr(open.prefix.size());
  }
  return content;
}

void TracebackReader::begin(const LogText& line, const std::string& writer, std::size_t at, long number,
                            const LinesBefore& before) {
  for (std::size_t i = open_.size(); i-- > 0;)
    if (open_[i].in_message && open_[i].writer == writer) close(i, false);
  if (open_.size() >= kMaxOpen) close(0, true);
  Open open;
  LoggedTraceback& traceback = open.traceback;
  std::string words(trim(std::string_view(line.text).substr(0, at)));
  traceback.process = process_of(line);
  traceback.time = line.moment();
  const std::string& level = line.level;
  if (words.empty() || words == "+ Exception Group") {
    // What its writer said right before is its headline; of an unnamed one that is the line before.
    const bool named = !line.process.empty() || !line.rank.empty();
    const std::vector<LogLine> earlier = before(named ? kLinesBefore : 1);
    for (std::size_t i = earlier.size(); i-- > 0;) {
      const LogText headline = read_prefixes(earlier[i].text).back();
      if (headline.process != line.process || headline.pid != line.pid || headline.source != line.source)
        continue;
      words = headline.text;
      if (traceback.process.rank.empty()) traceback.process.rank = headline.rank;
      if (!traceback.time) traceback.time = headline.moment();
      break;
    }
  }
  learn_role(traceback.process, words);
  if (traceback.process.rank.empty()) learn_rank(traceback.process, before(kLinesBefore));
  // A line that only stands before a traceback says nothing of it.
  traceback.handled = says_handled(words) || is_quiet(line.level) || (is_quiet(level) && says_failure(words));
  traceback.fatal = !traceback.handled && (says_fatal(words) || line.rank.starts_with("rank"));
  traceback.first_line = traceback.line = traceback.last_line = number;
  open.writer = traceback.writer = writer;
  open.place = line.place;
  open.first_line = without_numbers(std::string_view(line.text).substr(0, std::min(at, kMaxPrefix)));
  current_ = number;
  if (auto waiting = chained_.find(writer); waiting != chained_.end() && waiting->second > 0) {
    // Of several that wait, the oldest.
    std::size_t left = waiting->second--;
    --waiting_;
    for (std::size_t i = done_.size(); i-- > 0;) {
      if (done_[i].writer != writer || --left > 0) continue;
      LoggedTraceback earlier = std::move(done_[i]);
      done_.erase(done_.begin() + static_cast<std::ptrdiff_t>(i));
      if (earlier.links.size() >= kMaxLinks) {
        earlier.links.erase(earlier.links.begin() + kMaxLinks / 2);
        if (earlier.lines.size() > kMaxLinks / 2) earlier.lines.erase(earlier.lines.begin() + kMaxLinks / 2);
      }
      earlier.links.emplace_back();
      earlier.last_line = number;
      traceback = std::move(earlier);
      break;
    }
  }
  open_.push_back(std::move(open));
}

// A log that begins inside a traceback, such as the last lines of another: what it ended in is still there.
void TracebackReader::begin_headless(const LogText& line, const std::string& writer, TraceFrame frame,
                                     int indent, long number) {
  Open open;
  open.traceback.process = process_of(line);
  open.traceback.first_line = open.traceback.line = open.traceback.last_line = number;
  open.traceback.time = line.moment();
  open.traceback.writer = open.writer = writer;
  open.place = line.place;
  open.headless = true;
  open.indent = indent;
  open.expects_source = true;
  // What a Ray task raised stands, as its own traceback, in the message of what its caller raised.
  for (const Open& outer : open_)
    if (outer.in_message && outer.writer == writer &&
        outer.death().error.find("RayTaskError") != std::string::npos) {
      open.traceback.fatal = true;
      open.traceback.process.role = ProcessRole::worker;
      open.traceback.process.name = outer.death().message.substr(0, outer.death().message.find('('));
      open.traceback.process.name = std::string(trim(open.traceback.process.name));
    }
  open.death().frames.push_back(std::move(frame));
  current_ = number;
  open_.push_back(std::move(open));
}

// Whether other tracebacks, which ranks print of the same code, have something behind a frame (null: before
// the first one): 2 when it is `next` (null: the end), 1 when nothing is known, 0 when it is something else.
int TracebackReader::likely(const Open& open, const TraceFrame* next) const {
  const auto& frames = open.death().frames;
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
    if (fits(other.death().frames, other.in_message)) return 2;
  }
  for (std::size_t i = done_.size() - std::min(done_.size(), kCompared); i < done_.size(); ++i)
    if (fits(done_[i].links.back().frames, !done_[i].truncated)) return 2;
  return known ? 0 : 1;
}

// The traceback that a frame (null: the exception) continues: of those that it fits best, the one that the
// line before belonged to.
TracebackReader::Open* TracebackReader::continued_by(const LogText& line, const std::string& writer,
                                                     int indent, const TraceFrame* next) {
  std::vector<Open*> candidates;
  for (std::size_t i = open_.size() - std::min(open_.size(), kCandidates); i < open_.size(); ++i) {
    Open& open = open_[i];
    if (open.in_message || open.writer != writer || !ranks_agree(line.rank, open.traceback.process.rank))
      continue;
    if (open.indent < 0 || open.indent == indent) candidates.push_back(&open);
  }
  Open* chosen = nullptr;
  constexpr int kUnfit = -1;  // a stack without a head takes only what others show to be its own, or nobody's
  int best = kUnfit - 1;
  for (Open* open : candidates) {
    const int fit = candidates.size() == 1 ? 0 : likely(*open, next);
    const int score =
        open->headless && fit < 2 ? kUnfit : 2 * fit + (open->traceback.first_line == current_ ? 1 : 0);
    if (score <= best) continue;
    best = score;
    chosen = open;
  }
  if (chosen) current_ = chosen->traceback.first_line;
  return chosen;
}

bool TracebackReader::add_frame(const LogText& line, const std::string& writer, TraceFrame frame, int indent,
                                long number) {
  Open* chosen = continued_by(line, writer, indent, &frame);
  if (!chosen) {
    if (frame.function.empty() || line.head || open_.size() >= kMaxOpen) return false;
    begin_headless(line, writer, std::move(frame), indent, number);
    return true;
  }
  for (Open& open : open_)
    if (open.writer == writer) open.expects_source = &open == chosen;
  chosen->indent = indent;
  chosen->traceback.last_line = number;
  auto& frames = chosen->death().frames;
  if (frames.size() >= kFirstFrames + kLastFrames) frames.erase(frames.begin() + kFirstFrames);
  frames.push_back(std::move(frame));
  return true;
}

TracebackReader::Open* TracebackReader::owner_of_source(const std::string& writer, const std::string& rank) {
  for (Open& open : open_)
    if (open.expects_source && open.writer == writer && ranks_agree(rank, open.traceback.process.rank) &&
        !open.in_message)
      return &open;
  return nullptr;
}

void TracebackReader::end_with(Open& open, std::string_view text, long number) {
  TraceDeath& death = open.death();
  const std::size_t colon = text.find(": ");
  death.error = text.substr(0, std::min(colon, text.find(':')));
  if (colon != std::string_view::npos) death.message = trim(text.substr(colon + 2)).substr(0, kMaxMessage);
  LoggedTraceback& traceback = open.traceback;
  if (traceback.links.size() == 1) traceback.line = number;
  traceback.lines.resize(traceback.links.size(), number);
  traceback.last_line = number;
  if (!death.frames.empty() && traceback.links.size() == 1) {
    const ProcessRole role = role_of_function(death.frames.front().function);
    const bool whole = role != ProcessRole::unknown || death.frames.front().function == "_bootstrap";
    traceback.uncaught = whole && !open.headless && !traceback.handled;
    if (traceback.process.role == ProcessRole::unknown) traceback.process.role = role;
  }
  open.in_message = true;
  open.expects_source = false;
  open.lines = 0;
}

TracebackReader::Open* TracebackReader::in_message(const std::string& writer) {
  for (std::size_t i = open_.size(); i-- > 0;)
    if (open_[i].in_message && open_[i].writer == writer) return &open_[i];
  return nullptr;
}

// A new record of the same writer ends the messages before it.
void TracebackReader::end_messages(const std::string& writer, const LogText& line) {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const Open& open = open_[i];
    if (!open.in_message || open.writer != writer) continue;
    if (line.head || line.place != open.place) close(i, false);
  }
}

bool TracebackReader::extend_message(const LogText& line, const std::string& writer, std::string_view content,
                                     long number) {
  Open* open = in_message(writer);
  if (!open || line.head) return false;
  const std::string_view text = content.substr(0, content.find_last_not_of(" \t") + 1);
  if (trim(text).empty()) {
    if (++open->blank > kMaxBlank) close(index_of(*open), false);
    return true;
  }
  if (trim(text) == "\"\"\"") return true;
  if (is_foreign(trim(text))) {
    close(index_of(*open), false);
    return false;
  }
  std::string& message = open->death().message;
  if (message.size() + text.size() < kMaxMessage) {
    for (; open->blank > 0; --open->blank) message += '\n';
    if (!message.empty()) message += '\n';
    message += text;
  }
  open->blank = 0;
  open->traceback.last_line = number;
  return true;
}

bool TracebackReader::chain(const std::string& writer, std::string_view content) {
  if (!is_chain_mark(trim(content))) return false;
  if (const Open* open = in_message(writer)) close(index_of(*open), false);
  ++chained_[writer];
  ++waiting_;
  return true;
}

std::size_t TracebackReader::index_of(const Open& open) const {
  return static_cast<std::size_t>(
      std::find_if(open_.begin(), open_.end(), [&](const Open& other) { return &other == &open; }) -
      open_.begin());
}

void TracebackReader::close(std::size_t index, bool truncated) {
  Open open = std::move(open_[index]);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(index));
  if (open.headless && truncated) return;
  open.traceback.truncated = truncated;
  if (truncated && open.traceback.links.size() > 1 && open.death().frames.empty()) {
    open.traceback.links.pop_back();
    open.traceback.truncated = false;
  }
  add(std::move(open.traceback));
}

void TracebackReader::add(LoggedTraceback traceback) {
  if (const int rank = traceback.process.rank_number(); rank >= 0 && traceback.ranks.empty())
    traceback.ranks.push_back(rank);
  done_.push_back(std::move(traceback));
  if (done_.size() > (waiting_ > 0 ? 4 * kMaxDone : kMaxDone)) compact();
}

// Keeps the first of those that ended in the same way, and of the others the first and the last.
void TracebackReader::compact() {
  std::vector<LoggedTraceback> kept;
  for (LoggedTraceback& next : done_) {
    const auto known =
        std::find_if(kept.begin(), kept.end(), [&](const LoggedTraceback& t) { return same_end(t, next); });
    if (known == kept.end()) {
      kept.push_back(std::move(next));
      continue;
    }
    for (const int rank : next.ranks)
      if (known->ranks.size() < kMaxRanks &&
          std::find(known->ranks.begin(), known->ranks.end(), rank) == known->ranks.end())
        known->ranks.push_back(rank);
  }
  done_ = std::move(kept);
  chained_.clear();
  waiting_ = 0;
  while (done_.size() > kMaxDone) done_.erase(done_.begin() + kFirstDone);
}

bool TracebackReader::fatal_after(long line) const {
  const auto fatal = [&](const LoggedTraceback& t) { return t.fatal && !t.truncated && t.last_line > line; };
  return std::any_of(done_.begin(), done_.end(), fatal) ||
         std::any_of(open_.begin(), open_.end(),
                     [&](const Open& open) { return open.in_message && fatal(open.traceback); });
}

void TracebackReader::finish() {
  while (!open_.empty()) close(0, !open_.front().in_message);
  compact();
}

std::vector<LoggedTraceback> TracebackReader::take() {
  finish();
  return std::exchange(done_, {});
}

}  // namespace ringside
