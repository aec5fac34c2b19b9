#pragma once

#include <span>
#include <vector>

#include "report/figure.hpp"
#include "report/writer.hpp"

namespace ringside {

// The curves of each kind of result.

// Of each block: latency with its interval and the floor, bus bandwidth with the link's limit, the ratio to
// the best of each size; where a block was measured in both modes, what a call takes eager and in a graph.
// Several Documents share the figures of their blocks: a series is then called "result: strategy".
std::vector<Figure> sweep_figures(std::span<const NamedDocument> documents);

// Of run-spec: the speed-up over batches (or over drafts, of one batch); tokens a second over the acceptance
// length (as a ratio to the plain server, so that a curve breaks even where it crosses 1), over the time of a
// call, and over the number of draft tokens. Without curves: none.
std::vector<Figure> spec_figures(const SpecResult& spec);

// Of each block of a comparison: new / base over size with its 90 % interval, and the thresholds beyond which
// a change counts. A page of a comparison has these in the place of sweep_figures().
std::vector<Figure> comparison_figures(const Document& document);

}  // namespace ringside
