#pragma once

#include <vector>

#include "model/spec_result.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// Every number that an answer rests on, with its mark, by its key in the scenario.
std::vector<SpecInput> list_inputs(const Inquiry& inquiry);

}  // namespace ringside
