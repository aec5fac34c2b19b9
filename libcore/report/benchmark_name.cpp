#include "report/benchmark_name.hpp"

#include <fmt/format.h>

namespace ringside {

std::string benchmark_name(const Case& params) {
  return fmt::format("{}/{}/{} ranks/{}/{}/{}/{}", to_string(params.collective), to_string(params.device),
                     params.ranks, to_string(params.dtype), to_string(params.mode), entry_name(params),
                     format_size(params.bytes));
}

std::string benchmark_name(const SpecCandidate& candidate) {
  return fmt::format("run-spec/{}/{}/{}", candidate.strategy, candidate.layout, to_string(candidate.mode));
}

}  // namespace ringside
