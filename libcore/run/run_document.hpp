#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/secrets.hpp"
#include "machine/profile.hpp"
#include "model/document.hpp"

namespace ringside {

// A Document that says what was called, when and with which environment; without secrets, and it says so.
Document start_document(std::string_view command, const std::vector<std::string>& argv);

// Moves what start_document() has put into `started` to `result`, which another function has made: command,
// argv, start and findings.
void take_over(Document& started, Document& result);

// Says that values were left out of `where` ("the log"), where some were.
void say_withheld(Document& document, const Withheld& withheld, std::string_view where);

// The fingerprint of a machine that is only described.
Fingerprint described_machine(const MachineProfile& machine);

}  // namespace ringside
