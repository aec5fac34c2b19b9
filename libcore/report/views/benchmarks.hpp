#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "report/view.hpp"

namespace ringside {

// How tools that follow a number over time know a case: the same in every run, different from every other
// case of a Document. "allreduce/cuda/2 ranks/bf16/graph/nccl-ring:ll/2K"
std::string benchmark_name(const Case& params);

// "run-spec/custom/tp/graph"
std::string benchmark_name(const SpecCandidate& candidate);

// Latency and bus bandwidth of every case with a time, and the number of those that have none and should.
std::vector<Benchmark> row_benchmarks(const Document& document);

}  // namespace ringside
