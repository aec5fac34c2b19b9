#pragma once

#include "trace/core/framework.hpp"

namespace ringside {

const Framework& vllm_framework();

}  // namespace ringside
