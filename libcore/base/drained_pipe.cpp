#include "base/drained_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/text.hpp"

namespace ringside {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;  // the largest capacity of a pipe

}  // namespace

void Keep::add(std::string& text, std::string_view chunk) const {
  if (sink_) sink_(chunk);
  if (part_ == Part::head) text.append(chunk.substr(0, bytes_ - std::min(bytes_, text.size())));
  if (part_ != Part::tail) return;
  text.append(chunk);
  if (text.size() > 2 * bytes_) text.erase(0, text.size() - bytes_);
}

std::string_view Keep::kept(std::string_view text) const {
  return part_ == Part::tail ? text.substr(text.size() - std::min(bytes_, text.size())) : text;
}

DrainedPipe::DrainedPipe(UniqueFd pipe, Keep keep) : pipe_(std::move(pipe)), keep_(std::move(keep)) {
  ::fcntl(pipe_.get(), F_SETFL, O_NONBLOCK);
}

std::size_t DrainedPipe::drain() {
  std::array<char, 65536> bytes;
  std::size_t taken = 0;
  while (pipe_ && taken < kMostAtOnce) {
    const ssize_t count = ::read(pipe_.get(), bytes.data(), bytes.size());
    if (count > 0) {
      taken += static_cast<std::size_t>(count);
      keep_.add(text_, {bytes.data(), static_cast<std::size_t>(count)});
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      pipe_.reset();
    } else if (errno == EAGAIN) {
      break;
    }
  }
  return taken;
}

std::vector<std::string> DrainedPipe::last_lines(std::size_t count) const {
  std::vector<std::string> lines = split(trim(text()), '\n');
  std::erase_if(lines, [](const std::string& line) { return trim(line).empty(); });
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(count));
  return lines;
}

}  // namespace ringside
