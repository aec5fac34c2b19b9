#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "machine/profile.hpp"
#include "model/document.hpp"
#include "spec/communication.hpp"
#include "spec/estimate/workload.hpp"

namespace ringside {

// What a server communicates with that nothing else is known of: NCCL's own choice where this binary knows
// it, else the ring, as the machine's model has it.
Communication modelled_baseline(const SpecScenario& scenario, const MachineProfile& machine);

// The server that is asked about, as far as its allreduces are known: times from a file, those that were
// reported of its verify pass, nccl-auto's among `measured`, what is published for its GPUs, else the
// machine's model (`machine` null: none). `measured` may be empty.
struct Baseline {
  Communication communication;
  CollectiveTimes times;  // the same for the step model; empty: none is known
  bool own = false;       // of this server: it is a candidate of its own
};

Baseline find_baseline(const SpecScenario& scenario, const MachineProfile* machine, std::string_view gpu,
                       const std::optional<CollectiveTimes>& file,
                       const std::vector<Communication>& measured);

// One candidate for each strategy and mode that has a time among the Document's rows, calculated for the
// machine at any size; and with experts, the best allreduce beside each all-to-all.
std::vector<Communication> modelled_candidates(const SpecScenario& scenario, const MachineProfile& machine,
                                               const Document& document);

// The same from measured rows. A strategy without a time at the smallest or the largest of the Document's
// sizes is left out: what lies beyond its times is not known.
std::vector<Communication> measured_candidates(const SpecScenario& scenario, const Document& document);

}  // namespace ringside
