#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/errors.hpp"

namespace ringside {
namespace {

namespace fs = std::filesystem;

UsageError cannot_open(const std::string& path, const char* why) {
  return UsageError(fmt::format("cannot write '{}': {}", path, why));
}

// The path behind all symbolic links; the last one need not exist. Links of /proc (/dev/stdout, /dev/fd/3)
// lead to open files, which only they can name: `magic` is set and they stay as they are.
fs::path follow_links(const std::string& path, bool& magic) {
  fs::path target = path;
  for (int links = 0; links < 40; ++links) {
    std::error_code error;
    magic = target.native().starts_with("/proc/");
    const fs::path next = magic ? fs::path{} : fs::read_symlink(target, error);
    if (magic || error) return target;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  throw cannot_open(path, std::strerror(ELOOP));
}

bool same_file(int a, int b) {
  struct stat of_a {
  }, of_b{};
  return ::fstat(a, &of_a) == 0 && ::fstat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

// A file that lies beside its target until it takes its place; removed unless commit() succeeds.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) {
    for (int attempt = 0; !fd_; ++attempt) {
      path_ = target.parent_path() / fmt::format(".ringside-{}-{}.tmp", ::getpid(), attempt);
      fd_ = UniqueFd(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      if (!fd_ && (errno != EEXIST || attempt == 100)) return;
    }
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0) static_cast<void>(::fchmod(fd_.get(), old.st_mode & 0777));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd_) ::unlink(path_.c_str());
  }

  bool is_open() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }
  // Makes the content durable and moves it to `target`; false: see errno.
  bool commit(const fs::path& target) {
    if (::fsync(fd_.get()) != 0 || ::rename(path_.c_str(), target.c_str()) != 0) return false;
    fd_.reset();
    return true;
  }

 private:
  fs::path path_;
  UniqueFd fd_;
};

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)), stdout_(path_ == "-") {
  if (path_.empty()) throw UsageError("an output needs a file name ('-' is stdout)");
  if (is_stdout()) {
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) throw cannot_open("stdout", "it is closed");
    return;
  }
  bool magic = false;
  target_ = follow_links(path_, magic);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw cannot_open(path_, std::strerror(EISDIR));
  if (exists && (magic || !S_ISREG(status.st_mode))) {
    stream_ = UniqueFd(::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!stream_) throw cannot_open(path_, std::strerror(errno));
    if (magic && same_file(stream_.get(), STDOUT_FILENO)) {
      stdout_ = true;
      stream_ = UniqueFd();
    }
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw cannot_open(path_, std::strerror(errno));
  if (const TemporaryFile probe(target_); !probe.is_open()) throw cannot_open(path_, std::strerror(errno));
}

bool OutputFile::same_target(const OutputFile& other) const {
  if (is_stdout() || other.is_stdout()) return is_stdout() && other.is_stdout();
  std::error_code error;
  return fs::weakly_canonical(target_, error) == fs::weakly_canonical(other.target_, error) ||
         fs::equivalent(target_, other.target_, error);
}

void OutputFile::write(std::string_view text) {
  if (is_stdout()) return write_stdout(text);
  if (stream_) return write_all(stream_.get(), text, path_);
  TemporaryFile file(target_);
  if (!file.is_open()) throw SystemError(fmt::format("cannot write '{}'", path_), errno);
  write_all(file.fd(), text, path_);
  if (!file.commit(target_)) throw SystemError(fmt::format("cannot write '{}'", path_), errno);
}

void write_all(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // the parent made the pipe non-blocking
      pollfd waiting{.fd = fd, .events = POLLOUT, .revents = 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    if (written < 0)
      throw SystemError(fmt::format("cannot write {}", name == "stdout" ? name : "'" + name + "'"), errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_stdout(std::string_view text) {
  write_all(STDOUT_FILENO, text, "stdout");
}

}  // namespace ringside
