#include "base/fd.hpp"

#include <unistd.h>

namespace ringside {

void UniqueFd::reset() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace ringside
