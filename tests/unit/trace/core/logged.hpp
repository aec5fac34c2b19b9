#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "trace/core/log_reader.hpp"
#include "trace/core/trace_log.hpp"

namespace ringside {

// What the reader makes of the text of a log, given in pieces of `piece` bytes.
inline Document trace_of_log(const std::string& text, std::size_t piece = 1 << 20) {
  const auto signatures = load_signatures();
  const auto milestones = load_milestones();
  LogReader reader(signatures, milestones);
  for (std::size_t at = 0; at < text.size(); at += piece)
    reader.feed(std::string_view(text).substr(at, piece));
  Document document;
  trace_log(reader.finish(), "server.log", signatures, std::nullopt, document);
  return document;
}

// The same lines, each behind a prefix.
inline std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += prefix + text.substr(at, end - at) + '\n';
    at = end + 1;
  }
  return lines;
}

}  // namespace ringside
