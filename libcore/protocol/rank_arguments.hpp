#pragma once

#include <sys/types.h>

#include <string_view>

namespace ringside {

// How a coordinator starts a rank: `ringside __rank RANK PARENT_PID`, with its socket and the progress page
// as fixed descriptors. Everything else comes as a message.
struct RankArguments {
  static constexpr std::string_view kWord = "__rank";
  static constexpr int kSocketFd = 3;
  static constexpr int kCellsFd = 4;

  int rank = 0;
  pid_t parent = 0;
};

}  // namespace ringside
