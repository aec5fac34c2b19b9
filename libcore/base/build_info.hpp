#pragma once

#include <string_view>

namespace ringside {

// What this binary is. `commit` is "unknown" outside a git checkout and ends in "-dirty" when files were
// changed.
struct BuildInfo {
  std::string_view version;
  std::string_view commit;
  std::string_view compiler;
  std::string_view build_type;
  std::string_view cuda_version;  // empty: built without the cuda device
  std::string_view sanitizers;    // empty: none
};

const BuildInfo& build_info();

}  // namespace ringside
