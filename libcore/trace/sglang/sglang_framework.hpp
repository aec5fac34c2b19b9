#pragma once

#include "trace/core/framework.hpp"

namespace ringside {

const Framework& sglang_framework();

}  // namespace ringside
