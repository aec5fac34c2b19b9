#include "base/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/errors.hpp"
#include "base/fd.hpp"
#include "base/large_pages.hpp"

namespace ringside {

std::string read_input(const std::string& path, std::size_t most) {
  const auto fail = [&](int number) {
    return UsageError(fmt::format("cannot read '{}': {}", path, std::strerror(number)));
  };
  UniqueFd file;
  if (path != "-") {
    file = UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!file) throw fail(errno);
  }
  const int source = path == "-" ? STDIN_FILENO : file.get();
  std::string text;
  struct stat about {};
  if (::fstat(source, &about) == 0 && S_ISREG(about.st_mode)) {  // large results are not copied as they grow
    text.reserve(std::min(static_cast<std::size_t>(about.st_size), most));
    prefer_large_pages(text.data(), text.capacity());
  }
  char buffer[65536];
  for (;;) {
    const ssize_t got = ::read(source, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw fail(errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most)
      throw UsageError(fmt::format("cannot read '{}': it is larger than {} bytes", path, most));
  }
}

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
