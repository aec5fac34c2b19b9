#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/init_trace.hpp"
#include "served/log_line.hpp"
#include "served/log_text.hpp"
#include "trace/core/log_process.hpp"

namespace ringside {

// A traceback as a log has it.
struct LoggedTraceback {
  // The exceptions of a chain, in the order in which they were raised; one at least.
  std::vector<TraceDeath> links = std::vector<TraceDeath>(1);
  std::vector<long> lines;  // of the log: of each link's exception
  LogProcess process;
  std::vector<int> ranks;       // of all that ended in the same way
  bool fatal = false;           // what stands before it says that a process is lost
  bool uncaught = false;        // its first frame is that of a whole program or process
  bool handled = false;         // what stands before it says that its process goes on
  bool truncated = false;       // the log ends, or something else begins, before its last line
  long first_line = 0;          // of the log
  long line = 0;                // of the first link's exception; of a truncated one, the first
  long last_line = 0;           // of the log
  std::string writer;           // LogText::writer()
  std::optional<LogTime> time;  // of its first line, or of the line before

  const TraceDeath& death() const { return links.front(); }
};

// Puts tracebacks together from lines, also when several ranks print theirs at the same time. A traceback
// ends at the first line at its own indent that has the shape of an exception, whatever that is called; the
// lines behind it that belong to its message are kept.
class TracebackReader {
 public:
  // The lines before the one that is fed, the oldest first.
  using LinesBefore = std::function<std::vector<LogLine>(std::size_t count)>;

  // Whether a traceback is open, so that the next lines are of interest.
  bool busy() const { return !open_.empty(); }

  // Whether the line belongs to a traceback.
  bool feed(const LogText& line, long number, const LinesBefore& before);
  // The log ends.
  void finish();
  // Whether one behind this line of the log says that a process is lost.
  bool fatal_after(long line) const;
  // A refusal that left no traceback.
  void add(LoggedTraceback death);

  // In the order in which they ended; equal ends are one.
  const std::vector<LoggedTraceback>& done() const { return done_; }
  std::vector<LoggedTraceback> take();

 private:
  struct Open {
    LoggedTraceback traceback;
    std::string writer;
    std::string place;       // of the logger's call, where each line repeats it
    std::string first_line;  // without numbers: what its other lines may begin with, too
    std::string prefix;      // what they do begin with, learnt from the first frame
    int indent = -1;         // of its own lines: two less than that of its frames; -1: no frame yet
    int lines = 0;
    int blank = 0;            // empty lines at the end of its message
    std::size_t skipped = 0;  // frames in its middle
    bool in_message = false;  // its exception was read
    bool expects_source = false;
    bool headless = false;  // its first lines are missing; without an end it says nothing

    TraceDeath& death() { return traceback.links.back(); }
    const TraceDeath& death() const { return traceback.links.back(); }
  };

  void begin(const LogText& line, const std::string& writer, std::size_t at, long number,
             const LinesBefore& before);
  void begin_headless(const LogText& line, const std::string& writer, TraceFrame frame, int indent,
                      long number);
  void learn_prefix(std::string_view content, const std::string& writer);
  std::string_view without_prefix(std::string_view content, const std::string& writer) const;
  bool add_frame(const LogText& line, const std::string& writer, TraceFrame frame, int indent, long number);
  int likely(const Open& open, const TraceFrame* next) const;
  Open* continued_by(const LogText& line, const std::string& writer, int indent, const TraceFrame* next);
  Open* owner_of_source(const std::string& writer, const std::string& rank);
  Open* in_message(const std::string& writer);
  void end_with(Open& open, std::string_view text, long number);
  bool extend_message(const LogText& line, const std::string& writer, std::string_view content, long number);
  void end_messages(const std::string& writer, const LogText& line);
  bool chain(const std::string& writer, std::string_view content);
  std::size_t index_of(const Open& open) const;
  void close(std::size_t index, bool truncated);
  void compact();

  std::deque<Open> open_;
  std::vector<LoggedTraceback> done_;
  std::map<std::string, std::size_t> chained_;  // by writer: how many that were read go on in a chain
  std::size_t waiting_ = 0;                     // the sum of those
  long current_ = 0;                            // where the traceback began that the last line belonged to
};

}  // namespace ringside
