#pragma once

#include <string>
#include <vector>

#include "base/text.hpp"
#include "report/export/decision.hpp"
#include "support/gpu_sweep.hpp"

namespace ringside::test {

// Whether a text has a part, wherever its comment lines are broken.
inline bool holds(std::string text, const std::string& part) {
  const std::string line_break = "\n#   ";
  for (std::size_t at = text.find(line_break); at != std::string::npos; at = text.find(line_break, at))
    text.replace(at, line_break.size(), " ");
  return text.find(part) != std::string::npos;
}

// A way that wins at one size, and is as fast as NCCL's choice at the others, up to large messages.
inline GpuSweep one_setting(const std::string& entry, const char* ran) {
  GpuSweep sweep = nccl_sweep(64_MiB);
  sweep.time(entry, 1_KiB, 4.5, ran);
  sweep.time(entry, 4_KiB, 6, ran);
  sweep.time(entry, 64_MiB, 9, ran);
  return sweep;
}

inline std::string tuner(const GpuSweep& sweep) {
  return nccl_tuner_csv(decision_basis(sweep.document));
}

inline std::string environment(const GpuSweep& sweep) {
  return nccl_environment(decision_basis(sweep.document));
}

// Lines that set something.
inline std::vector<std::string> settings(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n')) {
    if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
    if (line.starts_with("# start the server with")) lines.push_back(line);
  }
  return lines;
}

}  // namespace ringside::test
