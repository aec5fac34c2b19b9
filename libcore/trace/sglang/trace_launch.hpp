#pragma once

#include <vector>

#include "model/document.hpp"
#include "trace/core/evaluate.hpp"
#include "trace/core/explain.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// How a launch ends: an outcome of trace/core/outcome.hpp.
std::string outcome_of(const Evaluation& evaluation, const std::vector<Signature>& signatures);

// Follows a launch through the pipeline and writes the annotated trace and its Findings into the document.
void trace_launch(const Pipeline& pipeline, const Launch& launch, const std::vector<Signature>& signatures,
                  Document& document);

}  // namespace ringside
