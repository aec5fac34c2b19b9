#pragma once

#include <vector>

#include "machine/profile.hpp"
#include "model/document.hpp"
#include "spec/communication.hpp"

namespace ringside {

// What the observed server communicates with: NCCL's own choice where this binary knows it, else the ring, as
// the machine's model has it.
Communication modelled_baseline(const SpecScenario& scenario, const MachineProfile& machine);

// One candidate for each strategy and mode that has a time among the Document's rows, calculated for the
// machine at any size; and with experts, the best allreduce beside each all-to-all.
std::vector<Communication> modelled_candidates(const SpecScenario& scenario, const MachineProfile& machine,
                                               const Document& document);

// The same from measured rows. A strategy without a time at the smallest or the largest of the Document's
// sizes is left out: what lies beyond its times is not known.
std::vector<Communication> measured_candidates(const SpecScenario& scenario, const Document& document);

}  // namespace ringside
