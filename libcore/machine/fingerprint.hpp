#pragma once

#include "machine/root_files.hpp"
#include "model/document.hpp"

namespace ringside {

// What can be read about this box without a GPU: CPU, cores, sockets and NUMA nodes, memory, kernel,
// distribution, hypervisor, frequency governor, huge pages. A fact that can't be read is left out.
Fingerprint fingerprint_host(const RootFiles& files = RootFiles());

}  // namespace ringside
