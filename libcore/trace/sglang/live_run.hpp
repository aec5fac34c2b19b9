#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/subprocess.hpp"
#include "model/document.hpp"
#include "trace/core/log_reader.hpp"

namespace ringside {

// One report of the hook.
struct LiveEvent {
  double time_s = 0;  // since the launch
  int pid = 0;
  std::string process;            // as multiprocessing names it
  std::string kind;               // "set", "get", "assert"
  std::string value;              // "None" or the type
  std::string worker;             // "target", "draft"; empty: it doesn't know
  int rank = -1;                  // of tensor parallelism; -1: it doesn't know
  std::vector<TraceFrame> stack;  // outermost first
};

struct LiveRun {
  std::vector<LiveEvent> events;  // in the order of their times
  LogReport log;                  // of all that the command printed, and an end that is no success
  ProcessEnd end;                 // of the command
  bool interrupted = false;
};

// Runs `command` with the hook on PYTHONPATH until it ends or `stop` says so (then it gets SIGINT, and
// SIGKILL ten seconds later). What it prints goes to stderr as it comes, as far as that can be written. The
// command and what it started outlive neither this call nor this process. Throws EnvironmentError when it
// can't be started.
LiveRun run_live(const std::vector<std::string>& command, const std::vector<Signature>& signatures,
                 const std::vector<Milestone>& milestones, const std::function<bool()>& stop);

// Reads what the hook wrote; lines that are no events are left out. `start` is the time of the launch.
std::vector<LiveEvent> parse_events(const std::string& text, double start);

// Writes the annotated trace of a live run into the document.
void trace_live(const LiveRun& run, const std::vector<Signature>& signatures, Document& document);

}  // namespace ringside
