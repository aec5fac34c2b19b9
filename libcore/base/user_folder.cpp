#include "base/user_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/output_file.hpp"

namespace ringside {

std::filesystem::path user_data_folder() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
    return std::filesystem::path(data) / "ringside";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".local" / "share" / "ringside";
  }
  return {};
}

void check_place(std::string_view what, const std::filesystem::path& file) {
  if (file.empty())
    throw EnvironmentError(
        fmt::format("no place to store {}: neither XDG_DATA_HOME nor HOME is set; set one", what));
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  if (failure)
    throw EnvironmentError(fmt::format("can't store {}: can't make the folder {}: {}", what,
                                       file.parent_path().string(), failure.message()));
  try {
    static_cast<void>(OutputFile(file.string()));
  } catch (const UsageError& problem) {  // nobody has asked for this place by name
    throw EnvironmentError(fmt::format("can't store {}: {}", what, problem.what()));
  }
}

UniqueFd lock_folder(const std::filesystem::path& folder) {
  UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (fd && ::flock(fd.get(), LOCK_EX) != 0 && errno == EINTR) continue;
  return fd;
}

}  // namespace ringside
