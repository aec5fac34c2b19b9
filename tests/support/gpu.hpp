#pragma once

namespace ringside {

// Ends the process with status 77, which ctest reports as skipped, unless this machine has `count` usable
// GPUs. The test binary itself asks for one before its first test case; tests that need more call this.
void need_gpus(int count);

}  // namespace ringside
