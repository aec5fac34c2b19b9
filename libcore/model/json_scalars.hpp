#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ringside {

using JsonScalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;  // monostate: null

// A scalar of a JSON text and where it is: "text_config.num_hidden_layers", "architectures[0]".
struct JsonEntry {
  std::string path;
  JsonScalar value;
};

// The scalars of a JSON object in the order of the text, for what is read without a schema of its own. Throws
// UsageError that names `origin` for a text that is no JSON object.
std::vector<JsonEntry> json_scalars(const std::string& text, const std::string& origin);

}  // namespace ringside
