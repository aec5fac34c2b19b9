#include "served/log_stream.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/printable.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 10;
constexpr std::string_view kGap = " ... ";  // in the place of a cut line's middle
constexpr std::size_t kHalf = (kMaxLine - kGap.size()) / 2;
constexpr std::size_t kLookedAt = 4096;  // bytes, for those of a binary file
constexpr std::size_t kLastLines = 8;
constexpr std::size_t kTailLines = 24,
                      kTail = std::size_t{256} << 10;  // lines and bytes, of which those are some
constexpr std::size_t kShownBytes = 300;               // of a last line

// Whether bytes are of a text. A stretch of NUL bytes may stand in one; many short ones, as between the
// numbers of a binary file, don't, nor does one control character in twenty.
bool is_text(std::string_view bytes) {
  constexpr std::size_t kStretch = 8, kShortOnes = 4;
  std::size_t controls = 0, others = 0, nuls = 0, short_ones = 0;
  for (const char c : bytes) {
    if (c == '\0') {
      ++nuls;
      continue;
    }
    if (nuls > 0 && nuls < kStretch && others > 0) ++short_ones;
    nuls = 0;
    ++others;
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 && (code < 7 || code > 13) && code != 0x1B) ++controls;
  }
  return short_ones <= kShortOnes && controls * 20 <= others;
}

// The beginning and the end of a long line.
std::string shortened(std::string_view line) {
  return std::string(line.substr(0, kHalf)).append(kGap).append(line.substr(line.size() - kHalf));
}

}  // namespace

LogStream::LogStream(std::vector<std::string> texts, LogConsumer& consumer)
    : search_(texts), consumer_(consumer) {
  for (const std::string& text : texts)
    if (text.starts_with('\n')) beginnings_.push_back(text.substr(1));
}

void LogStream::feed(std::string_view bytes) {
  std::string clean;  // of a piece that holds NUL bytes
  if (!checked_) {
    looked_at_ += bytes.substr(0, kLookedAt - std::min(kLookedAt, looked_at_.size()));
    if (looked_at_.find_first_not_of('\0') != std::string::npos) {
      if (!is_text(looked_at_)) throw UsageError("it is no text: a binary or compressed file");
      checked_ = true;
    } else {
      looked_at_.clear();
    }
  }
  if (bytes.find('\0') != std::string_view::npos) {
    clean = bytes;
    nuls_ += std::erase(clean, '\0');
    bytes = clean;
  }
  feed_text(bytes);
}

void LogStream::feed_text(std::string_view bytes) {
  // What is left of the last chunk is completed first, then whole lines are read where they are.
  if (!partial_.empty()) {
    const std::size_t end = bytes.find('\n');
    extend_partial(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    end_partial();
    bytes.remove_prefix(end + 1);
  }
  const std::size_t last = bytes.rfind('\n');
  lines_of(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
  extend_partial(bytes.substr(last == std::string_view::npos ? 0 : last + 1));
}

void LogStream::extend_partial(std::string_view bytes) {
  if (partial_.size() + bytes.size() <= 2 * kMaxLine) {
    partial_ += bytes;
    return;
  }
  const std::size_t head = std::min(bytes.size(), kHalf - std::min(kHalf, partial_.size()));
  partial_ += bytes.substr(0, head);
  bytes.remove_prefix(head);
  std::string tail = bytes.size() >= kHalf
                         ? std::string(bytes.substr(bytes.size() - kHalf))
                         : partial_.substr(std::max(
                               kHalf, partial_.size() - std::min(partial_.size(), kHalf - bytes.size()))) +
                               std::string(bytes);
  partial_lost_ += partial_.size() + bytes.size() - kHalf - tail.size();
  partial_.resize(kHalf);
  partial_ += tail;
}

void LogStream::end_partial() {
  std::string whole = std::exchange(partial_, "");
  const std::uint64_t lost = std::exchange(partial_lost_, 0);
  chunk_ = {};
  if (lost > 0 || whole.size() > kMaxLine) {
    note_cut(lost + whole.size() - 2 * kHalf);
    line(shortened(whole));
  } else {
    line(whole);
  }
  keep_tail(whole.append(1, '\n'));
}

void LogStream::note_cut(std::uint64_t lost) {
  if (cut_lines_++ == 0) first_cut_ = lines_ + 1;
  lost_ += lost;
}

void LogStream::lines_of(std::string_view text) {
  chunk_ = text;
  std::size_t at = 0;
  const bool begins = std::any_of(beginnings_.begin(), beginnings_.end(),
                                  [&](const std::string& beginning) { return text.starts_with(beginning); });
  while (at < text.size()) {
    if (!consumer_.takes_any() && (at > 0 || !begins)) {
      const std::size_t hit = search_.find(text, at);
      // rfind gives npos where the hit is in the first line: npos + 1 is 0.
      const std::size_t boring_end = hit == std::string_view::npos ? text.size() : text.rfind('\n', hit) + 1;
      if (boring_end > at) {
        lines_ += std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                             text.begin() + static_cast<std::ptrdiff_t>(boring_end), '\n');
        at = boring_end;
      }
      if (hit == std::string_view::npos) break;
    }
    const std::size_t end = text.find('\n', at);
    at_ = at;
    const std::string_view raw = text.substr(at, end - at);
    if (raw.size() > kMaxLine) {
      note_cut(raw.size() - 2 * kHalf);
      line(shortened(raw));
    } else {
      line(raw);
    }
    at = end + 1;
  }
  chunk_ = {};
  keep_tail(text);
}

// Keeps the last lines as they are: few of them are ever looked at.
void LogStream::keep_tail(std::string_view text) {
  std::size_t from = text.size();
  std::size_t lines = 0;
  for (; lines < kTailLines && from > 0; ++lines) from = from < 2 ? 0 : text.rfind('\n', from - 2) + 1;
  if (lines == kTailLines)
    tail_ = text.substr(from);
  else
    tail_ += text;
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  for (std::size_t left = std::count(tail_.begin(), tail_.end(), '\n'); left > 2 * kTailLines;
       left = std::count(tail_.begin(), tail_.end(), '\n')) {
    std::size_t cut = 0;
    for (; left > kTailLines; --left) cut = tail_.find('\n', cut) + 1;
    tail_.erase(0, cut);
  }
}

// Up to `count` of the lines in the tail, the last first.
void LogStream::last_of_tail(std::size_t count,
                             const std::function<void(const std::string&, Withheld&)>& take) const {
  std::size_t end = tail_.size();
  while (end > 0 && count > 0) {
    const std::size_t start = end < 2 ? 0 : tail_.rfind('\n', end - 2) + 1;
    Withheld withheld;
    // Masked as a whole: what is cut off may be what ends a secret.
    const std::string masked =
        mask_text(plain_line(std::string_view(tail_).substr(start, end - start - 1)), withheld);
    end = start;
    const std::string text = printable(std::string_view(masked).substr(0, kShownBytes));
    if (text.empty()) continue;
    take(text, withheld);
    --count;
  }
}

void LogStream::line(std::string_view raw) {
  ++lines_;
  consumer_.take({mask_text(plain_line(raw), withheld_), lines_});
}

std::vector<LogLine> LogStream::lines_before(std::size_t count) const {
  std::vector<LogLine> lines;
  Withheld counted_elsewhere;
  std::size_t end = chunk_.empty() ? 0 : at_;
  for (long number = lines_ - 1; end > 0 && lines.size() < count; --number) {
    const std::size_t start = end < 2 ? 0 : chunk_.rfind('\n', end - 2) + 1;
    const std::string_view raw = chunk_.substr(start, end - 1 - start);
    std::string text = mask_text(plain_line(raw.size() > kMaxLine ? shortened(raw) : raw), counted_elsewhere);
    if (!text.empty()) lines.push_back({std::move(text), number});
    end = start;
  }
  if (lines.size() < count)
    last_of_tail(count - lines.size(), [&](const std::string& text, Withheld&) {
      lines.push_back({text, 0});
    });
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> LogStream::notes() const {
  std::vector<std::string> notes;
  if (cut_lines_ > 0)
    notes.push_back(fmt::format(
        "{} longer than 64 KiB, the first of them line {}: the beginning and the end "
        "of each were read, and {} bytes between them were not",
        cut_lines_ == 1 ? "1 line is" : fmt::format("{} lines are", cut_lines_), first_cut_, lost_));
  if (nuls_ > 0) notes.push_back(fmt::format("{} NUL bytes were left out", nuls_));
  return notes;
}

Withheld LogStream::withheld() const {
  Withheld all = withheld_;
  for (const Withheld& one : last_withheld_) {
    // A last line that was of interest has been counted.
    const bool counted = std::all_of(one.names.begin(), one.names.end(), [&](const std::string& name) {
      return std::find(withheld_.names.begin(), withheld_.names.end(), name) != withheld_.names.end();
    });
    if (!counted) all.add(one);
  }
  return all;
}

void LogStream::finish() {
  if (!partial_.empty()) end_partial();
  last_of_tail(kLastLines, [this](const std::string& text, Withheld& withheld) {
    last_lines_.insert(last_lines_.begin(), text);
    last_withheld_.push_back(std::move(withheld));
  });
}

}  // namespace ringside
