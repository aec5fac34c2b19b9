#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/secrets.hpp"

namespace ringside {

// Every environment variable that ringside itself acts on; read once, at the start.
struct ToolEnvironment {
  bool no_color = false;       // NO_COLOR, not empty: no colour unless --color always
  bool dumb_terminal = false;  // TERM is "dumb": neither colour nor a progress line
  bool ci = false;  // CI or GITHUB_ACTIONS is "true" or "1": no progress line, no colour unless asked for
  bool github_actions = false;  // GITHUB_ACTIONS is: annotations by themselves
  bool utf8 = false;            // the locale (LC_ALL, LC_CTYPE, LANG) says that the terminal shows UTF-8
  bool profiled = false;        // NSYS_PROFILING_SESSION_ID: runs below Nsight Systems already
  std::string github_step_summary = {};  // GITHUB_STEP_SUMMARY: the file that --github adds a summary to
};

ToolEnvironment read_tool_environment();

// The variables of `environment` ("NAME=value" strings, ended by a null pointer, as environ is) that a result
// records, by name: those that change how collectives run (NCCL_*, CUDA_* and a short list), without secrets,
// which are counted in `withheld`.
std::vector<std::pair<std::string, std::string>> recorded_environment(const char* const* environment,
                                                                      Withheld& withheld);

}  // namespace ringside
