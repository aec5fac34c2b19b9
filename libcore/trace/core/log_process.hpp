#pragma once

#include <string>
#include <string_view>

#include "served/log_text.hpp"

namespace ringside {

// What a process does for a server. The order is that of trust: the later ones report deaths of the earlier.
enum class ProcessRole {
  worker,
  scheduler,
  detokenizer,
  tokenizer,
  engine_core,
  unknown,
  api_server,
  launcher
};

std::string_view to_string(ProcessRole role);

// Which process of a server wrote something, as far as its log tells.
struct LogProcess {
  ProcessRole role = ProcessRole::unknown;
  std::string name;  // "Worker_TP1"; may be empty
  std::string rank;  // rank_words(); may be empty
  int pid = -1;

  // "rank 5", "worker DP1 TP0", "EngineCore_DP0", "scheduler (pid 4711)"; empty: nothing is known.
  std::string text() const;
  // The rank among all, as a number; -1: not said, or only among those of its replica or stage.
  int rank_number() const;
};

// From the prefixes of a line.
LogProcess process_of(const LogText& line);

// Adds what words say that a process, or its parent, writes before a traceback: "Scheduler hit an exception:
// ", "WorkerProc failed to start.", "Process EngineCore_DP0:".
void learn_role(LogProcess& process, std::string_view words);

// The role of a process whose traceback begins in this function; unknown: it doesn't show.
ProcessRole role_of_function(std::string_view function);

}  // namespace ringside
