#pragma once

#include "model/document.hpp"
#include "report/view.hpp"

namespace ringside {

// A Document's Findings: like ones together, errors first, the reasons of skipped cases apart. Of a
// comparison, without what its table says of each case.
Findings finding_items(const Document& document);

}  // namespace ringside
