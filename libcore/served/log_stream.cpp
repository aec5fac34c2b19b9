#include "served/log_stream.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/printable.hpp"

namespace ringside {

namespace {

constexpr std::size_t kMaxLine = std::size_t{64} << 10;
constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLookedAt = 4096;  // bytes, for those of a binary file
constexpr std::size_t kLastLines = 8;
constexpr std::size_t kShownBytes = 300;  // of a last line

}  // namespace

LogStream::LogStream(std::vector<std::string> texts, LogConsumer& consumer)
    : search_(std::move(texts)), consumer_(consumer) {}

void LogStream::feed(std::string_view bytes) {
  if (!checked_) {
    checked_ = true;
    if (bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos)
      throw UsageError("it is no text: a binary or compressed file");
  }
  // What is left of the last chunk is completed first, then whole lines are read where they are.
  if (!partial_.empty()) {
    const std::size_t end = bytes.find('\n');
    partial_.append(bytes.substr(0, std::min(end, kMaxLine - std::min(kMaxLine, partial_.size()))));
    if (end == std::string_view::npos) return;
    const std::string whole = std::exchange(partial_, "");
    line(whole);
    keep_last(whole);
    bytes.remove_prefix(end + 1);
  }
  const std::size_t last = bytes.rfind('\n');
  lines_of(bytes.substr(0, last == std::string_view::npos ? 0 : last + 1));
  const std::string_view rest = bytes.substr(last == std::string_view::npos ? 0 : last + 1);
  partial_ = rest.substr(0, kMaxLine);
}

void LogStream::lines_of(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (!consumer_.takes_any()) {
      const std::size_t hit = search_.find(text, at);
      // rfind gives npos where the hit is in the first line: npos + 1 is 0.
      const std::size_t boring_end = hit == std::string_view::npos ? text.size() : text.rfind('\n', hit) + 1;
      if (boring_end > at) {
        lines_ += std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                             text.begin() + static_cast<std::ptrdiff_t>(boring_end), '\n');
        at = boring_end;
      }
      if (hit == std::string_view::npos) break;
    }
    const std::size_t end = text.find('\n', at);
    line(text.substr(at, end - at));
    at = end + 1;
  }
  // The last lines of the chunk, for an end that nothing explains.
  std::size_t from = text.size();
  for (std::size_t i = 0; i < kLastLines && from > 0; ++i)
    from = from < 2 ? 0 : text.rfind('\n', from - 2) + 1;
  while (from < text.size()) {
    const std::size_t end = text.find('\n', from);
    keep_last(text.substr(from, end - from));
    from = end + 1;
  }
}

void LogStream::keep_last(std::string_view raw) {
  // Masked as a whole: what is cut off may be what ends a secret.
  Withheld withheld;
  const std::string masked = mask_text(plain_line(raw.substr(0, kMaxLine)), withheld);
  const std::string text = printable(std::string_view(masked).substr(0, kShownBytes));
  if (text.empty()) return;
  last_lines_.push_back(text);
  last_withheld_.push_back(std::move(withheld));
  if (last_lines_.size() <= kLastLines) return;
  last_lines_.erase(last_lines_.begin());
  last_withheld_.erase(last_withheld_.begin());
}

void LogStream::line(std::string_view raw) {
  consumer_.take({mask_text(plain_line(raw.substr(0, kMaxLine)), withheld_), ++lines_});
}

Withheld LogStream::withheld() const {
  Withheld all = withheld_;
  for (const Withheld& one : last_withheld_) {
    // A last line that was of interest has been counted.
    const bool counted = std::all_of(one.names.begin(), one.names.end(), [&](const std::string& name) {
      return std::find(withheld_.names.begin(), withheld_.names.end(), name) != withheld_.names.end();
    });
    if (!counted) all.add(one);
  }
  return all;
}

void LogStream::finish() {
  if (partial_.empty()) return;
  const std::string last = std::exchange(partial_, "");
  line(last);
  keep_last(last);
}

void read_log_file(const std::string& path, LogStream& stream) {
  UniqueFd file;
  if (path != "-") {
    file = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    struct stat info {};
    if (!file) throw UsageError(fmt::format("can't read the log {}: {}", path, std::strerror(errno)));
    if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode))
      throw UsageError(fmt::format("the log {} is a directory", path));
  }
  const int fd = path == "-" ? STDIN_FILENO : file.get();
  std::string chunk(kChunk, '\0');
  while (true) {
    const ssize_t got = ::read(fd, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(fmt::format("can't read the log {}: {}", path, std::strerror(errno)));
    if (got == 0) break;
    try {
      stream.feed(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
    } catch (const UsageError& problem) {
      throw UsageError(fmt::format("can't read the log {}: {}", path, problem.what()));
    }
  }
  stream.finish();
}

}  // namespace ringside
