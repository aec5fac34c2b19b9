#include "machine/versions.hpp"

#include <fmt/format.h>

namespace ringside {

std::string nccl_version_text(int version) {
  const int unit = version < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", version / unit, version % unit / 100, version % 100);
}

std::string cuda_version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace ringside
