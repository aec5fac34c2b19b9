#pragma once

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "sweep/sweep.hpp"

namespace ringside {

// stderr during a run: messages, and either a progress line that is overwritten in place or, when verbose, a
// log.
class Console {
 public:
  struct Options {
    bool quiet = false;    // errors only
    bool verbose = false;  // log lines instead of the progress line
  };

  Console(const Clock& clock, Options options, const ToolEnvironment& environment);
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() { clear_progress(); }

  void error(const std::string& message);  // "ringside: ...", always
  void note(const std::string& message);   // "ringside: ...", unless quiet
  // What Ctrl-C answers, on a line of its own; null when quiet.
  const char* interrupt_notice() const;
  void log(const std::string& message);  // with the time since the start, when verbose
  void progress(const SweepProgress& progress);
  void clear_progress() noexcept;

 private:
  const Clock& clock_;
  Options options_;
  bool animated_;
  TimePoint start_;
  std::optional<TimePoint> last_progress_;
  bool progress_visible_ = false;
};

}  // namespace ringside
