#pragma once

#include "model/document.hpp"
#include "report/grid.hpp"

namespace ringside {

// What a process pays once: of each strategy its very first call, and NCCL's own calls in the set-up and in
// that call. Of the cases the one where it takes longest. Empty where nothing was measured.
TitledGrid first_call_grid(const Document& document);

}  // namespace ringside
