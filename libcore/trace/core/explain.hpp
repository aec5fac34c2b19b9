#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"
#include "trace/core/evaluate.hpp"
#include "trace/core/outcome.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// The names that explanations may use besides those of a World, all as seen by the target worker after the
// end: target.name, target.at, target.file, target.has_hook, death.place, death.through, death.phase,
// death.worker, metadata.at and config.at (the steps that set the metadata, and what it is made from, to
// None).
Lookup explanation_names(const Pipeline& pipeline, const Launch& launch, const Evaluation& evaluation);

// The same where nothing but the death is known, as from a log.
Lookup explanation_names(const TraceDeath& death);

// In the evidence of a remedy, the entry behind which the lines of a patch stand.
inline constexpr const char* kPatchFollows = "patch:";

// Symptom, root cause, what it is not, and remedies in their order, as Findings.
std::vector<Finding> explain(const Signature& signature, const Lookup& names);

// A death that no signature knows: what it is, and its innermost frames.
std::vector<Finding> explain_unknown(const TraceDeath& death);

// "AssertionError", "KeyError: 12".
std::string error_text(const TraceDeath& death);

}  // namespace ringside
