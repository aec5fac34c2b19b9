#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "model/init_trace.hpp"

namespace ringside {

// A traceback as a log has it.
struct LoggedTraceback {
  TraceDeath death;
  std::string rank;        // words such as "TP3 EP3"; empty: the log doesn't say
  bool fatal = false;      // the line before it says that a process is lost
  bool chained = false;    // raised while another was handled
  bool truncated = false;  // the log ends, or something else begins, before its last line
  long line = 0;           // of the log
};

// Puts tracebacks together from lines, also when several ranks print theirs at the same time.
class TracebackReader {
 public:
  // Whether a traceback is open, so that the next lines are of interest.
  bool busy() const { return !open_.empty(); }

  void feed(const std::string& line, long number);
  void finish();
  // A death that left no traceback.
  void add(LoggedTraceback death);

  std::vector<LoggedTraceback> take() { return std::move(done_); }
  std::size_t finished() const { return done_.size(); }

 private:
  struct Open {
    LoggedTraceback traceback;
    std::string first_line;  // without numbers: what its other lines may begin with, too
    std::string prefix;      // what they do begin with, learnt from the first frame
    int lines = 0;
    bool expects_source = false;
    bool headless = false;  // its first lines are missing; without an end it says nothing
  };

  // The line's own text; what some tool or rank put before it is `prefix` bytes long.
  std::string_view content(const std::string& line, std::size_t& prefix);
  void learn_prefix(const std::string& line);
  void begin(const std::string& line, std::size_t at, long number);
  void add_frame(const std::string& rank, TraceFrame frame);
  bool begin_without_head(const std::string& line, long number);
  int likely(const Open& open, const TraceFrame* next) const;
  Open* continued_by(const std::string& rank, const TraceFrame* next);
  void end_with(const std::string& rank, std::string_view text);
  void close(std::size_t index, bool truncated);
  Open* owner_of_source(const std::string& rank);

  std::deque<Open> open_;
  std::vector<LoggedTraceback> done_;
  bool chain_next_ = false;
  long current_ = 0;  // where the traceback began that the last line belonged to
};

}  // namespace ringside
