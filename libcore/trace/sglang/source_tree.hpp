#pragma once

#include <string>
#include <vector>

#include "trace/core/pipeline.hpp"

namespace ringside {

struct SourceRequest {
  std::string directory;  // a checkout, its python/ folder, an installed sglang package, or its srt/
  std::vector<std::string> architectures;  // of interest
  bool all_models = false;                 // every architecture of the tree
};

// Reads the init pipeline of an SGLang source tree. Nothing of the tree is imported or executed: a python3
// child parses the files that matter. Files that it can't read or parse are problems of the pipeline. Throws
// UsageError when the directory is no SGLang tree, EnvironmentError when there is no usable python3.
Pipeline read_source(const SourceRequest& request);

// The same as the text of a trace scenario, to be kept.
std::string read_source_text(const SourceRequest& request);

}  // namespace ringside
