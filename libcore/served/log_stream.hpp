#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.hpp"
#include "served/log_line.hpp"
#include "served/text_search.hpp"

namespace ringside {

// What takes the lines of a log.
class LogConsumer {
 public:
  virtual ~LogConsumer() = default;
  virtual void take(const LogLine& line) = 0;
  // Whether the next line is of interest, whatever it holds.
  virtual bool takes_any() const { return false; }
};

// Cuts the log of a server into lines as its bytes come, in constant memory. Secrets are masked. Colours,
// carriage returns and NUL bytes are taken out (a rotation by truncation leaves a stretch of them), of lines
// beyond 64 KiB the beginning and the end are kept. Most of a log is of no interest: its lines are only
// counted.
class LogStream {
 public:
  // `consumer` gets every line that holds one of the texts (of at least two bytes each), and may get others.
  // A text may begin with the end of the line before: "\nKilled". It must outlive the stream.
  LogStream(std::vector<std::string> texts, LogConsumer& consumer);

  // Throws UsageError for what is no text. `bytes` need not end with a line.
  void feed(std::string_view bytes);
  // The end of the log, which may have no newline.
  void finish();

  long lines() const { return lines_; }
  // After the end: up to eight, the oldest first; cut at 300 bytes and safe to print.
  const std::vector<std::string>& last_lines() const { return last_lines_; }
  // While a consumer takes a line: up to `count` (eight at most) of those right before it, the oldest first;
  // empty ones are left out, secrets are masked. The number of one that came long before may be 0.
  std::vector<LogLine> lines_before(std::size_t count) const;
  // What of the log was not read: cut lines, NUL bytes.
  std::vector<std::string> notes() const;
  // Secrets that lines of interest and the last lines held: nobody sees them.
  Withheld withheld() const;

 private:
  void feed_text(std::string_view bytes);
  void extend_partial(std::string_view bytes);
  void end_partial();
  void lines_of(std::string_view text);
  void line(std::string_view raw);
  void keep_tail(std::string_view text);
  void last_of_tail(std::size_t count, const std::function<void(const std::string&, Withheld&)>& take) const;
  void note_cut(std::uint64_t lost);

  TextSearch search_;
  std::vector<std::string> beginnings_;  // of lines, of the texts that begin with the end of the line before
  LogConsumer& consumer_;
  long lines_ = 0;
  std::string tail_;  // the last lines, as they came
  std::vector<std::string> last_lines_;
  std::vector<Withheld> last_withheld_;  // of each of them
  Withheld withheld_;
  std::string partial_;             // of a line that has not ended yet
  std::uint64_t partial_lost_ = 0;  // bytes of its middle
  std::string looked_at_;           // the first bytes, until it is clear that this is text
  bool checked_ = false;            // that it is
  std::string_view chunk_;          // that lines_of() works on
  std::size_t at_ = 0;              // of the line that the consumer takes, in chunk_
  std::uint64_t nuls_ = 0;          // bytes
  std::uint64_t lost_ = 0;          // bytes of cut lines
  long cut_lines_ = 0, first_cut_ = 0;
};

}  // namespace ringside
