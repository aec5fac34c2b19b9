#pragma once

#include <string>

#include "model/document.hpp"

namespace ringside {

// Shows a Document on the page of a GitHub Actions job: annotations as workflow commands on stderr, which the
// runner reads as well as stdout, where they would spoil a result; and a summary, added to the file
// `step_summary` (the runner's GITHUB_STEP_SUMMARY; empty: none). Throws EnvironmentError.
void write_github_job(const Document& document, const std::string& step_summary);

}  // namespace ringside
