#include "base/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/errors.hpp"
#include "base/fd.hpp"

namespace ringside {
namespace {

// Large results are not copied as they grow, and come in few large pages where the kernel has them: a fault
// for each small one costs as much as reading the file.
void reserve_pages(std::string& text, std::size_t bytes) {
  text.reserve(bytes);
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(text.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t last = (begin + bytes) / kLargePage * kLargePage;
  if (last > first) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace

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
  if (::fstat(source, &about) == 0 && S_ISREG(about.st_mode))
    reserve_pages(text, std::min(static_cast<std::size_t>(about.st_size), most));
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
