#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "served/log_time.hpp"

namespace ringside {

// A line as its process wrote it, apart from what collectors, launchers and loggers put before it.
struct LogText {
  std::string text;      // without any of that
  std::string source;    // container, pod, unit or host, where a collector names it; may be empty
  std::string process;   // "Worker_TP1", "EngineCore_DP0 RayWorkerWrapper": as a prefix of each line names it
  int pid = -1;          // that a prefix gives
  std::string rank;      // rank_words() of the prefixes
  std::string label;     // the rank as a launcher puts it before each line, "rank3"; may be empty
  std::string level;     // "ERROR", "W", as the logger wrote it; may be empty
  std::string place;     // "core.py:708": of the logger's call; may be empty
  bool head = false;     // a logger's own head stood before the text: a record begins
  bool unended = false;  // the collector cut it: the next line of the source goes on with it
  std::optional<LogTime> time;       // the logger's
  std::optional<LogTime> collected;  // the collector's

  // The same for all lines of one writer, as far as prefixes tell writers apart.
  std::string writer() const;
  // The logger's moment, or else the collector's.
  const std::optional<LogTime>& moment() const { return time ? time : collected; }
};

// The text that lines of JSON hold (docker's json-file, journald's, a logger's), line by line, or the line
// itself: a message may have several lines. Recognised are CRI, journald, docker compose, kubectl, Ray, srun,
// mpirun and torchrun labels, and the heads of vLLM, SGLang, TensorRT-LLM, Ray, glog, NCCL and uvicorn.
std::vector<LogText> read_prefixes(std::string_view line);

// The same of a line that is no JSON.
LogText read_plain_prefixes(std::string_view line);

}  // namespace ringside
