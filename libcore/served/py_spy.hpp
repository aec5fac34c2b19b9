#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// Where a process stands, as `py-spy dump` prints it (py-spy 0.3 and 0.4, text).
struct PySpyFrame {
  std::string function, file;
  int line = 0;
};

struct PySpyThread {
  std::string name;                // "MainThread"; may be empty
  std::string state;               // "active", "idle", "active+gil"
  std::vector<PySpyFrame> frames;  // innermost first
};

struct PySpyProcess {
  int pid = -1;
  std::string command;  // "sglang::scheduler_TP3"; may be empty
  std::string rank;     // rank_words() of the command; may be empty
  std::vector<PySpyThread> threads;

  // The main thread, or else the first; null: none.
  const PySpyThread* main() const;
};

// The processes in a text, which may hold other lines too (a watchdog's log). Threads and frames beyond some
// hundred are left out.
std::vector<PySpyProcess> read_py_spy(std::string_view text);

}  // namespace ringside
