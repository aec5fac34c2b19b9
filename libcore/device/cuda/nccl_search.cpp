#include "device/cuda/nccl_search.hpp"

#include <unistd.h>

#include "base/run_to_end.hpp"
#include "base/text.hpp"

namespace ringside {
namespace {

// sys.path as a program of this environment has it, PYTHONPATH and user packages included.
constexpr const char* kListFolders = "import sys; print('\\n'.join(p for p in sys.path if p))";

std::vector<NcclCandidate> in_python_packages() {
  std::vector<NcclCandidate> found;
  const ChildResult python =
      run_to_end({.argv = {"python3", "-c", kListFolders}}, {}, {.timeout = std::chrono::seconds(5)});
  if (!python.ok()) return found;
  for (const std::string& folder : split(trim(python.output), '\n')) {
    const std::string path = folder + "/nvidia/nccl/lib/libnccl.so.2";
    if (::access(path.c_str(), R_OK) == 0) found.push_back({path, "package nvidia-nccl of python3"});
  }
  return found;
}

}  // namespace

std::vector<NcclCandidate> find_nccl(const std::string& asked) {
  if (!asked.empty()) return {{asked, "--nccl-lib"}};
  std::vector<NcclCandidate> candidates = in_python_packages();
  candidates.push_back({"libnccl.so.2", "system"});
  return candidates;
}

}  // namespace ringside
