// The log reader: any bytes, in any pieces, give a report and never more memory than a log needs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/errors.hpp"
#include "trace/core/trace_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringside;
  static const std::vector<Signature> signatures = load_signatures();
  static const std::vector<Milestone> milestones = load_milestones();
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  LogReader reader(signatures, milestones);
  try {
    for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
    Document document;
    trace_log(reader.finish(), "fuzz", signatures, std::nullopt, document);
  } catch (const UsageError&) {
  }
  return 0;
}
