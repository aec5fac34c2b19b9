#include "served/py_spy.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "served/log_line.hpp"
#include "served/text_scan.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxProcesses = 4096, kMaxThreads = 256, kMaxFrames = 200, kMaxText = 300;

// "Process 4711: python3 -m sglang.launch_server", "Pyspy dump for PID 4711:".
std::optional<PySpyProcess> process_of(std::string_view line) {
  TextScan scan(line);
  if (const std::size_t at = line.find("yspy dump for PID "); at != std::string_view::npos)
    scan = TextScan(line.substr(at + 18));
  else if (!scan.take("Process "))
    return std::nullopt;
  const auto pid = scan.number(1, 8);
  if (!pid || !scan.take(":")) return std::nullopt;
  PySpyProcess process;
  process.pid = *pid;
  process.command = trim(scan.rest()).substr(0, kMaxText);
  std::string apart = process.command;
  std::replace(apart.begin(), apart.end(), '_', ' ');
  process.rank = rank_words(apart);
  return process;
}

// `Thread 4711 (active+gil): "MainThread"`.
std::optional<PySpyThread> thread_of(std::string_view line) {
  if (!line.starts_with("Thread ")) return std::nullopt;
  const std::size_t open = line.find('('), close = line.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
  PySpyThread thread;
  thread.state = line.substr(open + 1, std::min(close - open - 1, std::size_t{40}));
  const std::size_t quote = line.find('"', close), end = line.rfind('"');
  if (quote != std::string_view::npos && end > quote)
    thread.name = line.substr(quote + 1, std::min(end - quote - 1, kMaxText));
  return thread;
}

// "    forward (sglang/srt/models/deepseek_v2.py:788)".
std::optional<PySpyFrame> frame_of(std::string_view line) {
  if (!line.starts_with("    ")) return std::nullopt;
  const std::string_view text = trim(line);
  const std::size_t open = text.rfind(" (");
  if (open == std::string_view::npos || open == 0 || !text.ends_with(')')) return std::nullopt;
  const std::string_view place = text.substr(open + 2, text.size() - open - 3);
  const std::size_t colon = place.rfind(':');
  PySpyFrame frame;
  frame.function = text.substr(0, std::min(open, kMaxText));
  frame.file = place.substr(0, std::min(colon, kMaxText));
  if (colon != std::string_view::npos) {
    const std::string_view digits = place.substr(colon + 1);
    if (digits.empty() || digits.size() > 8 ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
      return std::nullopt;
    frame.line = std::atoi(std::string(digits).c_str());
  }
  return frame;
}

}  // namespace

const PySpyThread* PySpyProcess::main() const {
  for (const PySpyThread& thread : threads)
    if (thread.name == "MainThread") return &thread;
  return threads.empty() ? nullptr : &threads.front();
}

std::vector<PySpyProcess> read_py_spy(std::string_view text) {
  std::vector<PySpyProcess> processes;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = plain_line(text.substr(0, std::min(end, std::size_t{4096})));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (auto process = process_of(line)) {
      // A watchdog's headline, then py-spy's own.
      if (!processes.empty() && processes.back().pid == process->pid && processes.back().threads.empty())
        processes.back() = std::move(*process);
      else if (processes.size() < kMaxProcesses)
        processes.push_back(std::move(*process));
      continue;
    }
    if (processes.empty()) continue;
    std::vector<PySpyThread>& threads = processes.back().threads;
    if (auto thread = thread_of(line)) {
      if (threads.size() < kMaxThreads) threads.push_back(std::move(*thread));
    } else if (!threads.empty() && threads.back().frames.size() < kMaxFrames) {
      if (auto frame = frame_of(line)) threads.back().frames.push_back(std::move(*frame));
    }
  }
  return processes;
}

}  // namespace ringside
