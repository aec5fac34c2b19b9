#pragma once

#include "trace/core/pipeline.hpp"

namespace ringside {

// Throws UsageError when the entry or the procedure of a call does not exist, when procedures call each other
// in a circle, or when a class reaches a dispatch that the pipeline does not describe.
void check_calls(const Pipeline& pipeline);

}  // namespace ringside
