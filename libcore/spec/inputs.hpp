#pragma once

#include <optional>
#include <vector>

#include "model/spec_result.hpp"
#include "spec/step_model.hpp"

namespace ringside {

// Every number that an answer rests on, with its mark, by its key in the scenario. `explained`: the
// acceptance length that stands in where none was given.
std::vector<SpecInput> list_inputs(const SpecScenario& scenario, const ComputeTimes& compute,
                                   const std::optional<Quantity>& explained);

}  // namespace ringside
