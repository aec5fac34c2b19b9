#pragma once

#include "model/document.hpp"

namespace ringside {

// Takes the launches of `more` into `document`, case by case, as launches behind its own; cases that it lacks
// are added. A case that failed in one of them has failed. Both from the same machine; `more` is used up.
void merge_launches(Document& document, Document more);

}  // namespace ringside
