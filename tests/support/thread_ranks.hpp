#pragma once

#include <functional>

#include "device/exchange.hpp"

namespace ringside {

// Runs `rank` on `ranks` threads of this process, each with its side of one exchange between them, and
// returns when all have ended. The first exception of a rank is rethrown; an exchange call throws once
// another rank has thrown.
void run_thread_ranks(int ranks, const std::function<void(Exchange&)>& rank);

}  // namespace ringside
