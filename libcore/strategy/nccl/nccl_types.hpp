#pragma once

#include <nccl.h>

#include "model/case.hpp"

namespace ringside {

// NCCL's name of a dtype.
ncclDataType_t nccl_type(DType dtype);

}  // namespace ringside
