#pragma once

#include <string>

namespace ringside {

struct Document;

// What a job of GitHub Actions shows of a Document.

// Its errors and warnings as workflow commands, one a line, worst first; ten at most, as the runner drops the
// rest: then the last one says how many are not shown. Empty: nothing to annotate.
std::string github_annotations(const Document& document);

// The whole of it as Markdown for the job's page, below the 1 MiB that a step may add there.
std::string github_summary(const Document& document);

}  // namespace ringside
