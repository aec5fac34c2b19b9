#pragma once

#include <optional>
#include <vector>

#include "machine/profile.hpp"
#include "model/document.hpp"
#include "spec/communication.hpp"
#include "spec/scenario.hpp"

namespace ringside {

// Puts everything together: from the communication of each candidate to document.spec and its Findings.
// `baseline` is what the observed server used on the scenario's machine. Throws UsageError when the scenario
// says nothing about acceptance.
void answer_spec(const SpecScenario& scenario, const MachineProfile& machine, const Communication& baseline,
                 std::vector<Communication> communications, Document& document);

}  // namespace ringside
