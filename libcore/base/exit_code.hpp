#pragma once

namespace ringside {

// The exit status of every subcommand. The numbers are a promise to CI jobs: never renumber.
enum class ExitCode : int {
  ok = 0,
  internal = 1,      // a bug in ringside
  usage = 2,         // wrong arguments, a bad scenario, an output that can't be opened
  environment = 3,   // no GPU, no memory, disk full, a closed pipe
  wrong_data = 4,    // a collective gave a wrong result
  hang = 5,          // a time-out or a lost rank
  regression = 6,    // a judged failure: a confirmed regression, an unexpected outcome, an error of a check
  inconclusive = 7,  // a case of a base has no new time; what could not be judged, when asked for
  interrupted = 130  // Ctrl-C or SIGTERM; what is finished is kept
};

// The one status of a run in which several things happened: 130, else the first of 1, 2, 3, 4, 5, 6, 7.
constexpr ExitCode combine(ExitCode a, ExitCode b) {
  if (a == ExitCode::interrupted || b == ExitCode::interrupted) return ExitCode::interrupted;
  if (a == ExitCode::ok) return b;
  if (b == ExitCode::ok) return a;
  return static_cast<int>(a) < static_cast<int>(b) ? a : b;
}

}  // namespace ringside
