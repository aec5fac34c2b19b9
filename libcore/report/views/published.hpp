#pragma once

#include <string>

#include "model/published.hpp"

namespace ringside {

// "published for 8 x H200, NCCL 2.29.2: 18.3 us at 16K; here 61.0 us (nccl-auto, NCCL 2.28.9): 3.33 times as
// long", for the size whose ratio is farthest from 1, then the range of the others and what the comparison
// can't know. Empty where no size has two times.
std::string published_line(const PublishedComparison& comparison);

}  // namespace ringside
