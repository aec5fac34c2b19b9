#pragma once

#include <string>
#include <vector>

#include "trace/core/evaluate.hpp"

namespace ringside {

// The parts of a launch that a verdict can rest on.
inline constexpr const char* kArgumentsScope = "arguments";  // the server's own checks of what it was given
inline constexpr const char* kExpertsScope = "experts";      // the expert-location metadata
inline constexpr const char* kMemoryScope = "memory";        // what is left for the KV pool

// What an evaluation looked at, an entry for each scope.
std::vector<TraceScope> coverage(const Pipeline& pipeline, const Launch& launch,
                                 const Evaluation& evaluation);

// What can fail too, and was not looked at: a line each.
std::vector<std::string> not_checked(const Pipeline& pipeline, const std::vector<TraceScope>& scopes);

// The scopes of `wanted` that were not looked at.
std::vector<std::string> uncovered(const std::vector<TraceScope>& scopes,
                                   const std::vector<std::string>& wanted);

}  // namespace ringside
