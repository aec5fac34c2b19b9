#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.hpp"
#include "served/log_stream.hpp"
#include "trace/core/launch_reader.hpp"
#include "trace/core/log_launch.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

std::vector<Milestone> load_milestones();

// What a log tells.
struct LogReport {
  // By server, and of each server in the order in which they began; never empty.
  std::vector<LoggedLaunch> launches;
  std::size_t left_out = 0;  // launches, the earliest, that were too many to keep
  std::vector<std::string> last_lines;
  long lines = 0;
  Withheld withheld;               // secrets that the lines held
  std::vector<std::string> notes;  // what was not read
};

// Reads a log as it comes, in constant memory. Launches are told apart by their arguments and banners, by a
// step that is made again after an end, and servers by the names of collectors and by pids.
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
  struct Part {  // of a line that a collector cut
    std::string writer;
    LogText line;
  };

  void take(const LogLine& line) override;
  bool takes_any() const override;
  void take_text(LogText line, long number);
  bool join_parts(LogText& line);
  LaunchReader& launch_for(const LogText& line, long number);
  static LaunchReader& known_by_pid(std::deque<LaunchReader>& launches, int pid, bool parent);
  LaunchReader& new_launch(const std::string& source);

  const std::vector<Signature>& signatures_;
  const std::vector<Milestone>& milestones_;
  // By source, in the order in which they began.
  std::map<std::string, std::deque<LaunchReader>> launches_;
  std::vector<Part> parts_;
  std::size_t left_out_ = 0;
  LogStream stream_;
};

// Reads a file, or stdin for "-". Throws UsageError when it can't be read or is no text.
LogReport read_log(const std::string& path, const std::vector<Signature>& signatures,
                   const std::vector<Milestone>& milestones);

}  // namespace ringside
