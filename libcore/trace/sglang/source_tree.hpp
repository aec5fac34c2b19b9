#pragma once

#include <string>
#include <vector>

#include "trace/core/framework.hpp"
#include "trace/core/pipeline.hpp"

namespace ringside {

// Reads the init pipeline of an SGLang source tree. Nothing of the tree is imported or executed: a python3
// child parses the files that matter. Files that it can't read or parse are problems of the pipeline. Throws
// UsageError when the directory is no SGLang tree, EnvironmentError when there is no usable python3.
Pipeline read_source(const SourceRequest& request);

// The same as the text of a trace scenario, to be kept.
std::string read_source_text(const SourceRequest& request);

// What the reader of a server's trees ("sglang", "vllm") prints for the folder of its package. Throws like
// read_source.
std::string run_source_reader(const std::string& server, const std::string& package,
                              const SourceRequest& request);

}  // namespace ringside
