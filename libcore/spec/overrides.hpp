#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringside {

// Whether one of the "--set" assignments sets this path ("model.layers"), something below it, or a table that
// it stands in.
bool is_set(const std::vector<std::string>& assignments, std::string_view path);

}  // namespace ringside
