#include "run/spec_options.hpp"

#include "base/errors.hpp"

namespace ringside {

void SpecOptions::check() const {
  if (skew_us && !compute_us)
    throw UsageError("--skew needs --compute: a rank comes late because it computes longer");
}

}  // namespace ringside
