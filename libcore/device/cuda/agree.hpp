#pragma once

#include <functional>

#include "bootstrap/bootstrap.hpp"

namespace ringside {

// Runs `step` on every rank and returns when all have done it. When it threw anywhere, an EnvironmentError
// that names the ranks and their reasons is thrown everywhere: no rank is left behind, waiting for one that
// has given up. Collective.
void agree(Bootstrap& bootstrap, const std::function<void()>& step);

}  // namespace ringside
