#pragma once

#include <span>
#include <vector>

#include "report/view.hpp"
#include "report/writer.hpp"

namespace ringside {

// Several Documents of any kinds beside one another: what they are and where their machines differ, then the
// tables of each kind, how they ended, and what went wrong in each. Nothing is judged here: a ratio is one of
// medians, to the first Document's.
std::vector<TitledGrid> beside(std::span<const NamedDocument> documents);

// The same as a View; on a page each Document's own answers and Findings follow.
View beside_view(std::span<const NamedDocument> documents, const ViewRequest& request);

// "b.json" and "c.json" for "a/b.json" and "a/c.json": the shortest ends of the paths that differ; equal
// paths are numbered.
std::vector<std::string> short_names(std::span<const std::string> paths);

}  // namespace ringside
