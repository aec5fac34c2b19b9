#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.hpp"
#include "served/log_stream.hpp"
#include "trace/core/signature.hpp"
#include "trace/core/traceback_reader.hpp"
#include "trace/core/value.hpp"

namespace ringside {

// A line of a log that says how far the server came (scenarios/milestones/).
struct Milestone {
  std::string text;
  std::string step;
  bool comes_up = false;
};

std::vector<Milestone> load_milestones();

struct ReachedMilestone {
  const Milestone* milestone = nullptr;
  long line = 0;
  std::vector<int> ranks;  // that said so; empty: the log doesn't say
};

// What a log tells.
struct LogReport {
  std::vector<LoggedTraceback> tracebacks;      // in the order in which they end
  std::vector<ReachedMilestone> milestones;     // in the order of their first line
  std::map<std::string, std::string> warnings;  // signature -> the first line that shows it
  // Lines that tell of an end without a traceback ("Segmentation fault"), after the server was last ready.
  std::vector<std::string> signs;
  long ready_at = 0;                         // the line that last said that the server is ready; 0: none
  std::map<std::string, Value> server_args;  // where the server printed them
  std::string model_class;                   // from "type=..." of the weight loader; empty: not said
  std::vector<std::string> last_lines;
  long lines = 0;
  Withheld withheld;  // secrets that the lines held
};

// Reads a log as it comes, in constant memory.
class LogReader final : private LogConsumer {
 public:
  // Both must outlive the reader.
  LogReader(const std::vector<Signature>& signatures, const std::vector<Milestone>& milestones);
  LogReader(const LogReader&) = delete;  // its stream gives it the lines
  LogReader& operator=(const LogReader&) = delete;

  // Throws UsageError for what is no text.
  void feed(std::string_view bytes) { stream_.feed(bytes); }
  LogStream& stream() { return stream_; }
  LogReport finish();

 private:
  void take(const LogLine& line) override;
  bool takes_any() const override { return tracebacks_.busy(); }
  void interesting(const LogLine& line);

  const std::vector<Signature>& signatures_;
  const std::vector<Milestone>& milestones_;
  TracebackReader tracebacks_;
  LogReport report_;
  LogStream stream_;
};

// Reads a file, or stdin for "-". Throws UsageError when it can't be read or is no text.
LogReport read_log(const std::string& path, const std::vector<Signature>& signatures,
                   const std::vector<Milestone>& milestones);

}  // namespace ringside
