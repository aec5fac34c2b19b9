#pragma once

#include <string>

#include "model/document.hpp"

namespace ringside {

// What stands above the results. Each is one line of text, to be wrapped by the writer; empty: nothing to
// say.

// "interrupted: 38 of 56 cases have a time". Empty when the Document is complete.
std::string incomplete_line(const Document& document);

// Whether a sweep ended because its time was over.
bool ended_by_budget(const Document& document);

// The binary that measured: "ringside 0.1.0 (4be1c2f), GNU 12.2.0, Release, CUDA 13.0".
std::string tool_line(const Document& document);

// What a described machine's estimates were fitted to, and how far they are off. Empty for what was measured.
std::string fit_line(const Document& document);

// Ranks, device, dtype and mode, launches x rounds, seed, time spent and why it ended, origin, verification.
std::string method_line(const Document& document);

}  // namespace ringside
