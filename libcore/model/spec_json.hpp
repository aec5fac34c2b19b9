#pragma once

#include <string>

#include "model/json_place.hpp"
#include "model/spec_result.hpp"

namespace ringside {

// The value of a Document's key "spec", as JSON text.
std::string spec_json(const SpecResult& result);
SpecResult read_spec(const JsonPlace& place);  // throws UsageError with the place

}  // namespace ringside
