#pragma once

#include <string>
#include <string_view>

#include "scenario/toml_value.hpp"

namespace ringside {

// Puts the value of a "--set" flag into a document: "link.bandwidth_gbps=50", "steps.0.name=init". The value
// is TOML; what isn't (PCIe 5.0 x16) is a string. A path that the document doesn't have yet is made, and
// rejected as an unknown key if nothing reads it. Throws UsageError when it has no '=' or the path is no TOML
// key.
void override_toml(TomlEntries& document, const std::string& assignment);

}  // namespace ringside
