#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/init_trace.hpp"
#include "trace/core/log_death.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// How one launch ended, as its log tells.
struct LogVerdict {
  std::string outcome;
  std::optional<TraceDeath> death;
  const Signature* signature = nullptr;
  bool truncated = false;                // the log ends inside the traceback
  bool after_ready = false;              // it had come up before
  bool wordless = false;                 // it left neither a traceback nor last words
  bool alone = true;                     // false: only what other processes said of the death is in the log
  std::vector<std::string> before = {};  // what libraries said before it
  std::string summary;                   // one sentence
};

// `origin`: of the log, as it is shown before a line's number.
LogVerdict judge_launch(const LoggedLaunch& launch, const std::vector<Signature>& signatures,
                        const std::string& origin);

}  // namespace ringside
