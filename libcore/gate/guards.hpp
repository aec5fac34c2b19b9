#pragma once

#include <string>

#include "gate/sides.hpp"
#include "model/document.hpp"

namespace ringside {

// Why the launches of a case can't carry a verdict, whatever their medians say: clocks that were held down or
// differ, a link that is another one by its floor, another process on a GPU, samples in two clusters, a trend
// within launches. Empty: no reason.
// `matters`: what a shift within a launch must exceed to matter, see shift_that_matters(). Sides in turn have
// met the same link.
std::string quality_issue(const Row& base, const Row& now, double matters, Sides sides);

// The threshold of the case, or half of the change where that is more: two clusters 4 % apart can make 5 %,
// but never 100 %.
double shift_that_matters(const ComparisonStage& stage, double threshold);

// The same for all cases of two Documents that were measured on GPUs.
std::string quality_issue(const Document& base, const Document& now);

}  // namespace ringside
