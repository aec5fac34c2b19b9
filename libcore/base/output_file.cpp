#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "base/leftovers.hpp"

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

using FileStatus = std::optional<struct stat>;

FileStatus status_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

FileStatus status_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return std::nullopt;
  return status;
}

bool same_file(const FileStatus& a, const FileStatus& b) {
  return a && b && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

constexpr std::string_view kTemporary = ".ringside-";

// What takes the place of its target once it is whole. It has no name before that where the file system can
// do so, and none of it stays when this process is killed; else it has one beside its target, which is
// removed unless commit() succeeds.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : folder_(target.parent_path()) {
    if (can_link && ::access("/proc/self/fd", X_OK) == 0)  // link() needs it
      fd_ = UniqueFd(::open(folder_.empty() ? "." : folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
    if (!fd_) open_named();
    if (!fd_) return;
    if (const FileStatus old = status_of(target)) static_cast<void>(::fchmod(fd_.get(), old->st_mode & 0777));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  // Some file systems open files without a name and can't name them: known before there is anything to lose.
  void try_name() {
    if (fd_ && path_.empty()) can_link = link();
  }

  bool is_open() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }
  // Makes the content durable and moves it to `target`; false: see errno.
  bool commit(const fs::path& target) {
    if (::fsync(fd_.get()) != 0 || !(path_.empty() ? link() : true)) return false;
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  // Calls `make` with names until one is free. False: see errno.
  template <typename Make>
  bool take_name(Make make) {
    for (int attempt = 0; attempt < 100; ++attempt) {
      const fs::path name = folder_ / fmt::format("{}{}.tmp", own_name(kTemporary), attempt);
      if (make(name)) {
        path_ = name;
        return true;
      }
      if (errno != EEXIST) return false;
    }
    return false;
  }

  void open_named() {
    take_name([this](const fs::path& name) {
      fd_ = UniqueFd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
      return static_cast<bool>(fd_);
    });
    if (fd_) mark_in_use(fd_.get());
  }

  // A file that has a name can be moved over another, one without can't.
  bool link() {
    mark_in_use(fd_.get());
    const std::string self = fmt::format("/proc/self/fd/{}", fd_.get());
    return take_name([&](const fs::path& name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
  }

  static inline bool can_link = true;
  fs::path folder_;
  fs::path path_;  // empty: it has none
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
    if (magic && same_file(status_of(stream_.get()), status_of(STDOUT_FILENO))) {
      stdout_ = true;
      stream_ = UniqueFd();
    }
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw cannot_open(path_, std::strerror(errno));
  TemporaryFile probe(target_);
  if (!probe.is_open()) throw cannot_open(path_, std::strerror(errno));
  probe.try_name();
  remove_leftovers(target_.parent_path(), kTemporary);
}

bool OutputFile::same_target(const OutputFile& other) const {
  if (is_stdout() && other.is_stdout()) return true;
  if (is_stdout()) return other.same_target(*this);
  const FileStatus here = status_of(target_);
  if (other.is_stdout())  // a device (/dev/null) may take both
    return here && !S_ISCHR(here->st_mode) && same_file(here, status_of(STDOUT_FILENO));
  if (same_file(here, status_of(other.target_))) return true;
  if (target_.filename() != other.target_.filename()) return false;
  const auto folder = [](const fs::path& path) { return path.empty() ? fs::path(".") : path; };
  return same_file(status_of(folder(target_.parent_path())), status_of(folder(other.target_.parent_path())));
}

bool OutputFile::overwrites(const std::string& input) const {
  const FileStatus read = input == "-" ? status_of(STDIN_FILENO) : status_of(fs::path(input));
  if (!read || !S_ISREG(read->st_mode)) return false;  // what comes through a pipe or terminal is not there
  return same_file(read, is_stdout() ? status_of(STDOUT_FILENO) : status_of(target_));
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
