#pragma once

#include <optional>

#include "base/secrets.hpp"
#include "model/request.hpp"
#include "run/trace_options.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// What trace-init works on.
struct TraceRequest {
  Pipeline pipeline;
  Launch launch;
  std::string expect;             // of the scenario or the option; may be empty
  std::vector<InputText> inputs;  // the texts that were read
  Withheld withheld;              // secrets that they held
};

// Reads the pipeline, the command and the model. Throws UsageError or EnvironmentError.
TraceRequest resolve(const TraceOptions& options);

// The pipeline that --source or --sglang names; nothing when neither is given. `server`: whose tree it is,
// where
// --server does not say so.
std::optional<Pipeline> chosen_pipeline(const TraceOptions& options,
                                        const std::vector<std::string>& architectures,
                                        const std::string& server = "sglang");

}  // namespace ringside
