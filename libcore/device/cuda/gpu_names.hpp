#pragma once

#include <string>
#include <vector>

namespace ringside {

// The UUID of CUDA device `ordinal` as NVML and nvidia-smi print it: "GPU-8f6a...".
std::string gpu_uuid(int ordinal);

// Its PCI address: "0000:3b:00.0".
std::string gpu_pci_address(int ordinal);

// CUDA ordinals of the GPUs with these UUIDs, or 0 .. ranks - 1 when none are given. Throws EnvironmentError
// when this process does not see one of them.
std::vector<int> find_gpus(const std::vector<std::string>& uuids, int ranks);

}  // namespace ringside
