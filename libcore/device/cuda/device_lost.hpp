#pragma once

#include <string>

#include "base/errors.hpp"

namespace ringside {

// The ranks no longer agree: a kernel gave up waiting for a peer, or a library's call had to be aborted.
// Counters and communicators are useless from then on.
struct DeviceLost : TimeoutError {
  explicit DeviceLost(const std::string& message) : TimeoutError(message) {}
  bool ends_process() const noexcept override { return true; }
};

}  // namespace ringside
