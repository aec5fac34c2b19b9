#pragma once

#include "base/fd.hpp"
#include "protocol/requests.hpp"

namespace ringside {

// What the calling thread has of its core between begin() and end(), by the kernel's own counts.
class TurnWatch {
 public:
  // `spins`: whether begin() also times a fixed loop of some 50 us, as a measure of the core's clock.
  explicit TurnWatch(bool spins);

  void begin();
  TurnConditions end();

 private:
  struct Counts {
    double wall_ns = 0;
    std::optional<double> cpu_ns;
    std::optional<double> waited_ns;
  };
  Counts counts() const;

  UniqueFd schedule_;  // /proc/thread-self/schedstat; closed where the kernel has none
  bool spins_;
  std::optional<double> spin_ns_;
  Counts before_;
};

}  // namespace ringside
