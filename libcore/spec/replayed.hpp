#pragma once

#include <vector>

#include "model/document.hpp"
#include "spec/communication.hpp"

namespace ringside {

// Has the candidates take the times of the whole steps that document.spec replayed: what the calls of a step
// added to its compute where it had some, else the step itself. A Finding names those whose verify pass took
// more than a tenth longer or shorter than its calls by themselves.
void use_replays(const SpecScenario& scenario, std::vector<Communication>& candidates, Document& document);

}  // namespace ringside
