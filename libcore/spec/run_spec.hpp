#pragma once

#include <optional>
#include <vector>

#include "model/document.hpp"
#include "spec/candidates.hpp"
#include "spec/inquiry.hpp"

namespace ringside {

// What is known of where an inquiry's server runs.
struct SpecPlace {
  std::string machine;    // the profile behind what is modelled; empty: none
  double memory_gib = 0;  // of a GPU; 0: not known
  Baseline baseline;
};

// Puts everything together: from the observations and the communication of each candidate (none with one GPU,
// or where no machine is known) to document.spec and its Findings. Without a model only what was measured is
// answered. `inquiry.workload` gets the baseline's times.
void answer_spec(Inquiry inquiry, const SpecPlace& place, std::vector<Communication> candidates,
                 Document& document);

}  // namespace ringside
