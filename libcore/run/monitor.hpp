#pragma once

#include <string>

#include "model/document.hpp"
#include "sweep/sweep.hpp"

namespace ringside {

// Where a run reports to while it goes on; the library itself prints nothing. Messages are whole sentences
// without a newline.
class RunMonitor {
 public:
  virtual ~RunMonitor() = default;
  virtual void note(const std::string& message) = 0;   // for people who watch; may be dropped
  virtual void error(const std::string& message) = 0;  // something failed and the run goes on
  virtual void log(const std::string& line) = 0;       // a step, for a verbose log
  virtual void progress(const SweepProgress& progress) = 0;
  virtual void end_progress() = 0;                        // no more progress: what was shown of it can go
  virtual void checkpoint(const Document& document) = 0;  // rows have changed and no case is being timed
  // What the first Ctrl-C prints, with its newline; null: nothing. Lives as long as the monitor.
  virtual const char* interrupt_notice() const = 0;
};

}  // namespace ringside
