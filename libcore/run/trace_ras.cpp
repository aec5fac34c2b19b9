#include <chrono>
#include <filesystem>
#include <thread>

#include "base/input_file.hpp"
#include "run/trace_ras.hpp"
#include "trace/core/trace_hang.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxReport = std::size_t{64} << 20, kMaxDump = std::size_t{64} << 20;
constexpr std::chrono::seconds kTimeout{15};
constexpr std::chrono::seconds kBetween{3};  // two looks

}  // namespace

bool is_address(const std::string& ras) {
  std::error_code ignored;
  return ras != "-" && ras.find(':') != std::string::npos && !std::filesystem::exists(ras, ignored);
}

void trace_ras(const TraceOptions& options, Document& document) {
  std::vector<PySpyProcess> stacks;
  for (const std::string& path : options.py_spy)
    for (PySpyProcess& process : read_py_spy(read_input(path, kMaxDump)))
      stacks.push_back(std::move(process));
  const std::string& ras = *options.ras;
  if (!is_address(ras)) {
    trace_hang(read_ras(read_input(ras, kMaxReport), ras), std::nullopt, stacks, ras, document);
    return;
  }
  const RasReport first = read_ras(ask_ras(ras, kTimeout), ras);
  std::this_thread::sleep_for(kBetween);
  trace_hang(first, read_ras(ask_ras(ras, kTimeout), ras), stacks, ras, document);
}

}  // namespace ringside
