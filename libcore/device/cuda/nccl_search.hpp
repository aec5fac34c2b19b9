#pragma once

#include <string>
#include <vector>

namespace ringside {

// A place where an NCCL library may be.
struct NcclCandidate {
  std::string path;    // for dlopen: a file, or "libnccl.so.2" for the system's search
  std::string origin;  // "--nccl-lib", "package nvidia-nccl of python3", "system"
};

// Where to look for NCCL, best first: `asked` alone if it is given; else what a Python server in this
// environment would load (nvidia/nccl/lib in the folders that python3 of this PATH imports from), then the
// system's. Runs python3 for some tens of milliseconds; imports nothing but its standard library.
std::vector<NcclCandidate> find_nccl(const std::string& asked);

}  // namespace ringside
