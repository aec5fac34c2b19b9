#include "inittrace/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace ringside {

std::string read_text_file(const std::string& path, std::size_t most) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0)
    throw UsageError(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode)) throw UsageError(fmt::format("{}: not a regular file", path));
  if (static_cast<std::size_t>(info.st_size) > most)
    throw UsageError(fmt::format("{}: larger than {} bytes", path, most));
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UsageError(fmt::format("{}: {}", path, std::strerror(errno)));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

}  // namespace ringside
