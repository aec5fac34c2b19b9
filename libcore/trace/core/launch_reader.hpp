#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trace/core/log_launch.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// How a line shows that a launch begins.
enum class LaunchStart { none, command, banner, arguments };

// Texts of which each line holds one that begins a launch, or that a refusing argument parser writes.
std::vector<std::string> start_texts();

LaunchStart start_of(std::string_view text);

// Puts one launch together from its lines.
class LaunchReader {
 public:
  // Both must outlive the reader.
  LaunchReader(const std::vector<Signature>& signatures, const std::vector<Milestone>& milestones)
      : signatures_(&signatures), milestones_(&milestones) {}

  void feed(const LogText& line, long number, const TracebackReader::LinesBefore& before);
  void start(LaunchStart kind, const LogText& line, long number);

  bool busy() const { return tracebacks_.busy(); }
  // Whether a process was lost, after the server was last ready.
  bool ended() const;
  bool started_by(LaunchStart kind) const { return starts_.contains(kind); }
  // Whether the line tells, after an end, of a step that this launch has made before.
  bool begins_again(const LogText& line) const;

  const LoggedLaunch& launch() const { return launch_; }
  LoggedLaunch finish();

  int parent_pid = -1;      // of the API server; -1: not known
  std::set<int> pids = {};  // of its processes
  // From a line of arguments: "30000", "/m/a", "2 10.0.0.1:5000" (several nodes and where they meet); empty:
  // not said.
  std::string port = {}, model = {}, nodes = {};
  // Marks a launch that runs beside the one before, whose lines look the same.
  void runs_beside(const LaunchReader& before);

 private:
  const Milestone* milestone_in(std::string_view text) const;
  void reach(const Milestone& milestone, const LogText& line, long number);
  void read_arguments(std::string_view text);
  void notice(const LogText& line, long number, const TracebackReader::LinesBefore& before);

  const std::vector<Signature>* signatures_;
  const std::vector<Milestone>* milestones_;
  LoggedLaunch launch_;
  TracebackReader tracebacks_;
  std::set<LaunchStart> starts_;
  std::map<int, std::string> rank_of_pid_;  // that a line of the process named
};

}  // namespace ringside
