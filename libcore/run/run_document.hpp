#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/profile.hpp"
#include "model/document.hpp"

namespace ringside {

// A Document that says what was called, when and with which environment.
Document start_document(std::string_view command, const std::vector<std::string>& argv);

// The fingerprint of a machine that is only described.
Fingerprint described_machine(const MachineProfile& machine);

}  // namespace ringside
