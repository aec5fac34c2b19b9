#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/inquiry.hpp"

namespace ringside {

// Of the scenario's [acceptance], or of what somebody typed, for so many drafted levels. Nothing: it says
// none.
std::optional<KnownAcceptance> acceptance_of(const AcceptanceInput& input, int levels);

// A published curve: "golden:kimi-k2.5". A prior of another text and machine: never firm. Throws UsageError
// that lists the names.
KnownAcceptance published_acceptance(const std::string& name, int levels);

// Of the reading with speculation that has most windows: of this batch where there are some, else of any. By
// position where the server says it, else by length. Nothing: no reading has either. Throws UsageError that
// names the source for a length that so many drafts can't have.
std::optional<KnownAcceptance> measured_acceptance(const SpecScenario& scenario,
                                                   const std::vector<ObservedReading>& observations,
                                                   int batch);

}  // namespace ringside
