#include "inittrace/play_back.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <string>

#include "base/nvtx.hpp"

namespace ringside {

void play_back(const InitTrace& trace) {
  std::map<std::string, NvtxName> names;
  const auto name_of = [&names](const std::string& text) -> const NvtxName& {
    return names.try_emplace(text, text).first->second;
  };
  const NvtxRange all(name_of(fmt::format("trace-init: {}", trace.title)));
  std::deque<NvtxRange> open;  // a range can't move
  for (const TraceStep& step : trace.steps) {
    while (open.size() > static_cast<std::size_t>(step.depth)) open.pop_back();
    open.emplace_back(
        name_of(fmt::format("{} {} {}:{} {}", step.worker, step.ranks, step.file, step.line, step.effect)),
        step.line);
  }
  while (!open.empty()) open.pop_back();
}

}  // namespace ringside
