#include "base/leftovers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <exception>

#include "base/fd.hpp"

namespace ringside {
namespace {

namespace fs = std::filesystem;

// The process that a name belongs to; 0: none of own_name(prefix).
pid_t owner_of(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return 0;
  name.remove_prefix(prefix.size());
  pid_t pid = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return problem == std::errc{} && end != name.data() + name.size() && *end == '-' ? pid : 0;
}

bool is_gone(pid_t pid) {
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

bool is_in_use(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return !fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
}

}  // namespace

std::string own_name(std::string_view prefix) {
  return fmt::format("{}{}-", prefix, ::getpid());
}

void mark_in_use(int fd) noexcept {
  ::flock(fd, LOCK_SH | LOCK_NB);
}

void remove_leftovers(const fs::path& folder, std::string_view prefix) noexcept {
  try {
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const pid_t owner = owner_of(entry->path().filename().native(), prefix);
      if (owner <= 0 || !is_gone(owner) || is_in_use(entry->path())) continue;
      std::error_code stays;
      fs::remove_all(entry->path(), stays);
    }
  } catch (const std::exception&) {  // no memory: they stay
  }
}

}  // namespace ringside
