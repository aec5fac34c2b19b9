#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace ringside {

// What a child process may use; it is ended when it takes more.
struct ChildLimits {
  std::chrono::milliseconds wall{20000};
  std::size_t memory_bytes = std::size_t{3} << 29;  // address space: 1.5 GiB
  std::size_t output_bytes = std::size_t{16} << 20;
};

struct ChildResult {
  int status = 0;  // as waitpid gives it
  bool timed_out = false;
  bool output_too_large = false;
  std::string out;
  std::string error_tail;  // the last 4 KiB of stderr
};

// Runs `argv` (argv[0] is looked up on PATH) with `input` on stdin and an empty environment but PATH, LANG
// and what makes Python keep to itself. The child can't write files (RLIMIT_FSIZE) or outlive this process.
// Throws EnvironmentError when it can't be started.
ChildResult run_child(const std::vector<std::string>& argv, const std::string& input,
                      const ChildLimits& limits);

}  // namespace ringside
