#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trace/core/death_notice.hpp"
#include "trace/core/library_remark.hpp"
#include "trace/core/traceback_reader.hpp"
#include "trace/core/value.hpp"

namespace ringside {

// A line of a log that says how far the server came (scenarios/milestones/).
struct Milestone {
  std::string text;
  std::string step;
  bool comes_up = false;
  std::string after = {};  // a step without which the line means something else; may be empty
};

struct ReachedMilestone {
  const Milestone* milestone = nullptr;
  long line = 0;
  std::vector<int> ranks;        // that said so; empty: the log doesn't say
  std::vector<std::string> who;  // the same as rank words and pids
};

// One launch of a server, as a log tells of it.
struct LoggedLaunch {
  std::string
      server;  // what tells its lines from another server's: "container sglang-1", "pid 300"; may be empty
  long first_line = 0, last_line = 0;
  bool begins = false;                          // with its arguments or a banner; else the log begins later
  std::vector<LogTime> began;                   // by each of the log's clocks, once
  std::vector<LoggedTraceback> tracebacks;      // in the order in which they end
  std::vector<DeathNotice> notices;             // after the server was last ready
  std::vector<LibraryRemark> remarks;           // each once, after the server was last ready
  std::vector<ReachedMilestone> milestones;     // in the order of their first line
  std::map<std::string, std::string> warnings;  // signature -> the first line that shows it
  long ready_at = 0;                            // the line that last said that the server is ready; 0: none
  std::map<std::string, Value> server_args;     // where the server printed them
  std::string model_class;                      // from "type=..." of the weight loader; empty: not said
  bool mixed = false;  // another server's lines stand among its own, and nothing tells them apart

  // Seconds from the beginning to a moment; nothing where no clock tells.
  std::optional<double> seconds_to(const std::optional<LogTime>& moment) const;
};

}  // namespace ringside
