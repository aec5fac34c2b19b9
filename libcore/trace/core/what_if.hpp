#pragma once

#include <string>
#include <vector>

#include "model/init_trace.hpp"
#include "trace/core/evaluate.hpp"
#include "trace/core/signature.hpp"

namespace ringside {

// A change of one argument that may be tried (scenarios/changes/).
struct ArgumentChange {
  std::string field;
  std::vector<Value> values;  // None: leave the flag out; "tp_size": the value of that argument
  bool all_choices = false;   // every value that the version's flag accepts
  std::vector<std::pair<std::string, std::string>>
      with;  // other fields that go with it, and the fields they copy
  int cost = 0;
  std::string gives_up;
};

std::vector<ArgumentChange> load_changes();

// The smallest sets of changes, one and then two, that lead to another outcome than `outcome`; those that
// end in no failure first, then by cost. Pairs are tried only when no single change does.
std::vector<Counterfactual> what_if(const Pipeline& pipeline, const Launch& launch,
                                    const std::string& outcome, const std::vector<Signature>& signatures,
                                    const std::vector<ArgumentChange>& changes);

}  // namespace ringside
