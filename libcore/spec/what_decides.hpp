#pragma once

#include <string>
#include <vector>

#include "model/document.hpp"
#include "spec/run_spec.hpp"

namespace ringside {

// What decides, one sentence each: length and allreduce time to break even, the best number of drafts, the
// value of a microsecond, expert parallelism. By the medians of the calibrated step.
std::vector<std::string> what_decides(const Inquiry& inquiry, const SpecPlace& place,
                                      const SpecResult& result);

// An allreduce of the server that takes more than 1.5 times what is published for as many GPUs of its kind:
// the sentence, and a Finding. Empty where it does not, or nothing is published.
std::string note_slow_allreduce(const Inquiry& inquiry, const SpecPlace& place, Document& document);

}  // namespace ringside
