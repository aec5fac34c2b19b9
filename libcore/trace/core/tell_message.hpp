#pragma once

#include <filesystem>
#include <optional>

#include "model/finding.hpp"
#include "model/init_trace.hpp"
#include "trace/core/unknown_message.hpp"

namespace ringside {

// Adds to the finding of an unknown death what its message says about this launch: what it names, its own
// advice as the remedy, and, with a tree of the server's source, where its words stand.
void tell_message(const TraceDeath& death, const KnownLaunch& launch,
                  const std::optional<std::filesystem::path>& tree, Finding& finding);

}  // namespace ringside
