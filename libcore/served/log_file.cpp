#include "served/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "served/gzip_reader.hpp"
#include "served/utf16.hpp"

namespace ringside {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLookedAt = 512;

// The bytes of a file, the first of which can be looked at before.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : path_(path) {
    if (path == "-") return;
    file_ = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    struct stat info {};
    if (!file_) throw UsageError(fmt::format("can't read the log {}: {}", path, std::strerror(errno)));
    if (::fstat(file_.get(), &info) == 0 && S_ISDIR(info.st_mode))
      throw UsageError(fmt::format("the log {} is a directory", path));
  }

  // The first bytes, up to `size`, which read() gives again.
  std::string_view look(std::size_t size) {
    seen_.resize(size);
    std::size_t filled = 0;
    while (filled < size) {
      const std::size_t got = from_file(seen_.data() + filled, size - filled);
      if (got == 0) break;
      filled += got;
    }
    seen_.resize(filled);
    return seen_;
  }

  std::size_t read(char* buffer, std::size_t size) {
    const std::size_t count = std::min(size, seen_.size());
    std::memcpy(buffer, seen_.data(), count);
    seen_.erase(0, count);
    return count == size ? count : count + from_file(buffer + count, size - count);
  }

 private:
  std::size_t from_file(char* buffer, std::size_t size) {
    while (true) {
      const ssize_t got = ::read(path_ == "-" ? STDIN_FILENO : file_.get(), buffer, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR)
        throw UsageError(fmt::format("can't read the log {}: {}", path_, std::strerror(errno)));
    }
  }

  std::string path_;
  UniqueFd file_;
  std::string seen_;
};

// Hands text on as UTF-8, whatever it comes as.
class Text {
 public:
  explicit Text(LogStream& stream) : stream_(stream) {}

  void take(std::string_view bytes) {
    if (!begun_) {
      begun_ = true;
      order_ = utf16_order(bytes);
      if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    }
    if (order_ == Utf16Order::none)
      stream_.feed(bytes);
    else
      stream_.feed(utf16_.to_utf8(bytes, order_));
  }

  bool begun() const { return begun_; }

 private:
  LogStream& stream_;
  Utf16Decoder utf16_;
  Utf16Order order_ = Utf16Order::none;
  bool begun_ = false;
};

}  // namespace

std::vector<std::string> read_log_file(const std::string& path, LogStream& stream) {
  Bytes bytes(path);
  std::vector<std::string> notes;
  Text text(stream);
  try {
    if (bytes.look(kLookedAt).starts_with("\x1F\x8B")) {
      GzipReader gzip([&](char* buffer, std::size_t size) { return bytes.read(buffer, size); },
                      [&](std::string_view unpacked) { text.take(unpacked); });
      const std::string broken = gzip.unpack();
      if (!broken.empty() && !text.begun()) throw UsageError("it is a broken gzip file");
      if (!broken.empty())
        notes.push_back(fmt::format("the gzip file is {}: what it gave before that was read", broken));
    } else {
      std::string chunk(kChunk, '\0');
      for (std::size_t got; (got = bytes.read(chunk.data(), chunk.size())) > 0;)
        text.take(std::string_view(chunk).substr(0, got));
    }
  } catch (const UsageError& problem) {
    const std::string what = problem.what();
    if (what.find(path) != std::string::npos) throw;
    throw UsageError(fmt::format("can't read the log {}: {}", path, what));
  }
  stream.finish();
  return notes;
}

}  // namespace ringside
