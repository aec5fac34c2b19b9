#pragma once

#include <string>
#include <vector>

#include "base/units.hpp"
#include "machine/root_files.hpp"

namespace ringside {

// Members of a list as the kernel writes it, "0-3,8"; empty when it is none.
std::vector<int> parse_cpu_list(const std::string& text);

// The cores of this process's affinity, whatever its CPU quota; one at least.
std::vector<int> allowed_core_list(const RootFiles& files = RootFiles());

// CPU cores that this process may keep busy: those of its affinity, as many as the CPU quota of its control
// groups covers; one at least.
std::vector<int> usable_core_list(const RootFiles& files = RootFiles());
int usable_cores(const RootFiles& files = RootFiles());

// Memory that can be allocated without swapping or being killed: the smaller of MemAvailable and what the
// control groups leave. Without either, as much as there can be.
Bytes available_memory(const RootFiles& files = RootFiles());

}  // namespace ringside
