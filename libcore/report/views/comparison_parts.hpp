#pragma once

#include <string>

#include "model/document.hpp"
#include "report/grid.hpp"

namespace ringside {

// A comparison as people read it. The Document must have one.

// "base     3 launches of base.json: ringside 0.1.0 (4be1c2f), 2026-03-01T12:00:00Z"
std::string side_line(const ComparedSide& side);

// How it was judged: level, where thresholds come from, how suspects were confirmed.
std::string judgement_line(const Document& document);

// Case, times, ratio with its interval, threshold, verdict and its reason: the rows that are not plainly
// `pass`, or, with `all`, every row.
TitledGrid comparison_grid(const Document& document, bool all);

// "93 pass, 2 improve, 1 regress, 4 ambiguous"
std::string verdict_counts(const Document& document);

}  // namespace ringside
