#pragma once

namespace ringside {

struct Interval {
  double low = 0;
  double high = 0;
};

}  // namespace ringside
