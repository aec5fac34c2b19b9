#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "model/document.hpp"
#include "trace/core/log_reader.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/core/signature.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// Writes into the document what a log tells: how far the server came, which known death it died of, on which
// ranks, why, and what to do. With a pipeline the server's own arguments (which it prints) are followed
// through it, and the document says whether that ends in the same way. A death that no signature knows stays
// unknown; with a tree of the server's source, the places are listed where the words of its message stand.
// `given`: the launch that the log is said to be of, as a command and what else is known describe it (null:
// none); what it says that the log can't is followed too, and differences are told.
using LogSource = std::optional<std::filesystem::path>;
void trace_log(const LogReport& report, const std::string& origin, const std::vector<Signature>& signatures,
               const std::optional<Pipeline>& pipeline, Document& document, const Launch* given = nullptr,
               const LogSource& tree = std::nullopt);

}  // namespace ringside
