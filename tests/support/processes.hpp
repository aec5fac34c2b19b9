#pragma once

#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace ringside {

// Whether the process runs no more; one that only waits to be reaped doesn't.
inline bool has_ended(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  const std::size_t name_end = line.rfind(')');
  return line.substr(name_end + 2, 1) == "Z" || line.substr(name_end + 2, 1) == "X";
}

inline bool ends_within(pid_t pid, std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!has_ended(pid)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace ringside
