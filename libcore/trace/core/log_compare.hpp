#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/document.hpp"
#include "trace/core/pipeline.hpp"
#include "trace/core/signature.hpp"
#include "trace/sglang/launch.hpp"

namespace ringside {

// What a log says of its launch besides how it ended.
struct LoggedFacts {
  std::map<std::string, Value> args;  // that the server printed
  std::string model_class;            // empty: not said
  long ready_at = 0;                  // the line that says that the server is ready; 0: none
};

// The scopes of a verdict that rests on a log alone: a server that is ready has got past all of them.
std::vector<TraceScope> observed_scopes(const LoggedFacts& facts);

// Follows the launch of a log through a pipeline and writes into the document, whose trace is the log's, what
// that says besides: whether it ends in the same way, and the end itself where the log has none. `given`: the
// launch that the log is said to be of (null: its own arguments are followed); where the two differ a finding
// says so.
void follow_logged_launch(const LoggedFacts& facts, const Pipeline& pipeline, const Launch* given,
                          const std::vector<Signature>& signatures, Document& document);

}  // namespace ringside
