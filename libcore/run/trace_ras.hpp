#pragma once

#include "model/document.hpp"
#include "run/trace_options.hpp"

namespace ringside {

// Whether --ras names an address ("localhost:28028") and no file that exists.
bool is_address(const std::string& ras);

// Reads the report of NCCL's RAS, or asks for it twice, and writes into the document who holds the job up.
// Throws UsageError, EnvironmentError.
void trace_ras(const TraceOptions& options, Document& document);

}  // namespace ringside
