#include "base/user_folder.hpp"

#include <cstdlib>

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

}  // namespace ringside
