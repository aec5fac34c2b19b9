#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "served/log_line.hpp"
#include "trace/core/log_process.hpp"

namespace ringside {

// A line that tells of a death and is no part of a traceback.
struct DeathNotice {
  enum class Kind {
    words,      // the last words of the process itself: "no kernel image is available ..."
    killer,     // who killed it, and why: the kernel's OOM killer, an Xid
    exit,       // how it ended, as somebody else saw it: "exit code -9", "Segmentation fault"
    hang,       // a watchdog waited too long: for whom, it doesn't know
    stopped,    // it was told to end: no death
    aftermath,  // that something died: "Received sigquit from a child process"
  };
  Kind kind = Kind::words;
  std::string text;         // safe to print, at most 1000 bytes, without prefixes and bars
  long line = 0;            // of the log
  LogProcess process;       // that died, as far as the line tells
  std::optional<int> code;  // exit code; negative: the signal
  std::optional<LogTime> time;
  std::vector<LogLine> before;  // lines right before it, the oldest first; of an exit alone
};

// Texts of which each such line holds one, for a search.
std::vector<std::string> notice_texts();

// What the line tells; nothing where it tells of no death.
std::optional<DeathNotice> read_notice(const LogText& line, long number);

// "SIGKILL" of -9 or 137, "SIGSEGV" of -11 or 139; empty: no signal.
std::string_view signal_name(int code);

}  // namespace ringside
