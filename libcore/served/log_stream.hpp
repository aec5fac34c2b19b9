#pragma once

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

// Cuts the log of a server into lines as its bytes come, in constant memory. Secrets are masked. Colours and
// carriage returns are taken out, lines beyond 64 KiB are cut. Most of a log is of no interest: its lines are
// only counted.
class LogStream {
 public:
  // `consumer` gets every line that holds one of the texts (of at least two bytes each), and may get others.
  // It must outlive the stream.
  LogStream(std::vector<std::string> texts, LogConsumer& consumer);

  // Throws UsageError for what is no text.
  void feed(std::string_view bytes);
  // The end of the log, which may have no newline.
  void finish();

  long lines() const { return lines_; }
  // Up to eight, the oldest first; cut at 300 bytes and safe to print.
  const std::vector<std::string>& last_lines() const { return last_lines_; }
  // Secrets that lines of interest and the last lines held: nobody sees them.
  Withheld withheld() const;

 private:
  void lines_of(std::string_view text);
  void line(std::string_view raw);
  void keep_last(std::string_view raw);

  TextSearch search_;
  LogConsumer& consumer_;
  long lines_ = 0;
  std::vector<std::string> last_lines_;
  std::vector<Withheld> last_withheld_;  // of each of them
  Withheld withheld_;
  std::string partial_;   // of a line that has not ended yet
  bool checked_ = false;  // that this is text
};

// Feeds a file, or stdin for "-", to the stream and finishes it. Throws UsageError that names the path when
// it can't be read or is no text.
void read_log_file(const std::string& path, LogStream& stream);

}  // namespace ringside
