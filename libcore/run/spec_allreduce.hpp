#pragma once

#include <string>

#include "spec/estimate/workload.hpp"

namespace ringside {

// Times of a server's allreduce that a file has.
struct SpecAllreduce {
  CollectiveTimes times;
  std::string text;  // of the file
  std::string said;  // what was read, one sentence
};

// A result of probe-comm, the output of nccl-tests, or a CSV of bytes and microseconds. Throws UsageError
// that names the file.
SpecAllreduce read_allreduce_file(const std::string& path, int ranks);

}  // namespace ringside
