#pragma once

#include <string>
#include <vector>

#include "model/json_place.hpp"
#include "model/request.hpp"

namespace ringside {

// The values of a Document's keys "request" and "inputs", as JSON text.
std::string request_json(const SweepRequest& request);
std::string inputs_json(const std::vector<InputText>& inputs);
SweepRequest read_request(const JsonPlace& place);  // throws UsageError with the place
InputText read_input_text(const JsonPlace& place);  // likewise

}  // namespace ringside
