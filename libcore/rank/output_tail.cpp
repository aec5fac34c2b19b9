#include "rank/output_tail.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.hpp"

namespace ringside {

void OutputTail::drain() {
  char bytes[8192];
  while (pipe_) {
    const ssize_t count = ::read(pipe_.get(), bytes, sizeof bytes);
    if (count > 0) {
      text_.append(bytes, static_cast<std::size_t>(count));
      if (text_.size() > 2 * kKeep) text_.erase(0, text_.size() - kKeep);
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      if (count == 0) pipe_.reset();
      return;
    }
  }
}

std::vector<std::string> OutputTail::last_lines(std::size_t count) const {
  std::vector<std::string> lines = split(trim(text_), '\n');
  std::erase_if(lines, [](const std::string& line) { return trim(line).empty(); });
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
  return lines;
}

}  // namespace ringside
