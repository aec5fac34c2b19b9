// The readers of NCCL's RAS and of py-spy dumps: any text gives a report or a UsageError, and a verdict.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors.hpp"
#include "trace/core/trace_hang.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n\n");
  const std::vector<PySpyProcess> stacks =
      read_py_spy(cut == std::string_view::npos ? text : text.substr(cut));
  try {
    const RasReport report = read_ras(text.substr(0, cut), "fuzz");
    Document document;
    trace_hang(report, std::nullopt, stacks, "fuzz", document);
    trace_hang(report, report, stacks, "fuzz", document);
  } catch (const UsageError&) {
  }
  return 0;
}
