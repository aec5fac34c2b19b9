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

}  // namespace ringside
