#pragma once

#include <string>

namespace ringside {

// The NVTX ranges of one name that a library marked.
struct HeardRange {
  std::string name;
  int count = 0;
  double time_ns = 0;  // of all of them; ranges inside it are in it
};

}  // namespace ringside
