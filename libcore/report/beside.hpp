#pragma once

#include <span>
#include <vector>

#include "report/grid.hpp"
#include "report/writer.hpp"

namespace ringside {

// Several Documents beside one another, for every writer that shows tables: what they are and where their
// machines differ, then their times in one table for each block, their run-spec candidates, their traces, and
// what went wrong in each. Nothing is judged here: a ratio is one of medians, to the first Document's.
std::vector<TitledGrid> beside(std::span<const NamedDocument> documents);

// "b.json" and "c.json" for "a/b.json" and "a/c.json": the shortest ends of the paths that differ; equal
// paths are numbered.
std::vector<std::string> short_names(std::span<const std::string> paths);

}  // namespace ringside
