#pragma once

#include <chrono>

namespace ringside {

using Nanoseconds = std::chrono::nanoseconds;
using TimePoint = std::chrono::steady_clock::time_point;

// Time as the scheduler sees it; tests pass a clock of their own.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
};

class SteadyClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace ringside
