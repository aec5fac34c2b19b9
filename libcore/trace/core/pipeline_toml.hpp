#pragma once

#include "scenario/toml_reader.hpp"
#include "trace/core/pipeline.hpp"

namespace ringside {

// Reads a pipeline (kind = "init-pipeline", docs/trace-init.md). Throws UsageError with the place for
// whatever is not as it must be: an unknown effect, a call of a procedure that does not exist, procedures
// that call each other in a circle.
Pipeline read_pipeline(const ScenarioText& scenario);

// The same from a document that holds more than the pipeline; the caller finishes the document.
Pipeline read_pipeline(const TomlTable& root, const ScenarioText& scenario);

}  // namespace ringside
