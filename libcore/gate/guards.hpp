#pragma once

#include <string>

#include "model/document.hpp"

namespace ringside {

// Why the launches of a case can't carry a verdict, whatever their medians say: clocks that were held down or
// differ, a link that is another one by its floor, another process on a GPU, samples in two clusters, a trend
// within launches. Empty: no reason.
// `threshold`: what a shift must exceed to matter.
std::string doubt(const Row& base, const Row& now, double threshold);

// The same for all cases of two Documents that were measured on GPUs.
std::string doubt(const Document& base, const Document& now);

}  // namespace ringside
