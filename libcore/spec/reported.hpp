#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// An observed number holds for the model, layout, machine, batch and draft that it was reported of. Leaves
// those of `scenario` out that were reported (in `reported`, the scenario before anything took the place of
// its numbers) of others, but for the paths in `given` ("--set" assignments). Returns a note that names what
// was left out.
std::optional<Finding> leave_out_stale(const SpecScenario& reported, const std::string& reported_machine,
                                       const std::string& machine, const std::vector<std::string>& given,
                                       SpecScenario& scenario);

}  // namespace ringside
