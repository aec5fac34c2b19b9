#pragma once

#include <string>

namespace ringside {

// "2.28.9" for 22809; before 2.9 NCCL's coding had a digit less: 2.8.4 is 2804.
std::string nccl_version_text(int version);

// "13.0" for 13000.
std::string cuda_version_text(int version);

}  // namespace ringside
