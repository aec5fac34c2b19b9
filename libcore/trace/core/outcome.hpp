#pragma once

#include <string>
#include <vector>

#include "model/init_trace.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// How a launch ends: the id of a signature, or one of these.
inline constexpr const char* kRefused = "refused";                  // the server's own checks turn it down
inline constexpr const char* kUnknownDeath = "unknown-death";       // it died, and no signature fits
inline constexpr const char* kNoFailureFound = "no-failure-found";  // in what was checked, which is listed
inline constexpr const char* kUnknown = "unknown";  // what decides it can't be read or evaluated

inline constexpr const char* kPassOldName = "pass";  // of kNoFailureFound, still taken by --expect

// The outcome that a name given by a person means: "pass" is no-failure-found.
std::string outcome_named(const std::string& name);

// All names, those of the signatures too.
std::vector<std::string> outcome_names(const std::vector<Signature>& signatures);

// Whether a server's own checks of its arguments and of the model end it so, before any rank does work: by
// where the innermost frame is, or by the type that only such checks raise.
bool is_refusal(const TraceDeath& death);

// The outcome of a death; `signature`: the one that fits, or null.
std::string outcome_of(const TraceDeath& death, const Signature* signature);

}  // namespace ringside
