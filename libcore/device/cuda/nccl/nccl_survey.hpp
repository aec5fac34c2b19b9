#pragma once

#include <string>

#include "machine/gpu_survey.hpp"

namespace ringside {

// Opens the NCCL library that a run would use, the first of find_nccl() that can be opened, and says what it
// is. `asked`: what --nccl-lib says, or empty.
NcclFacts survey_nccl(const std::string& asked);

}  // namespace ringside
