#include "trace/core/play_back.hpp"

#include <fmt/format.h>

#include <deque>

#include "base/nvtx.hpp"

namespace ringside {

void play_back(const InitTrace& trace) {
  NvtxNames names;
  const NvtxRange all(names[fmt::format("trace-init: {}", trace.title)]);
  std::deque<NvtxRange> open;  // a range can't move
  for (const TraceStep& step : trace.steps) {
    while (open.size() > static_cast<std::size_t>(step.depth)) open.pop_back();
    open.emplace_back(
        names[fmt::format("{} {} {}:{} {}", step.worker, step.ranks, step.file, step.line, step.effect)],
        step.line);
  }
  while (!open.empty()) open.pop_back();
}

}  // namespace ringside
